#!/usr/bin/env bash
# Trains with processes on two "machines", two network namespaces joined by a virtual cable, over TCP with Open MPI, and compares the model file with that
# of one process. As root, on Linux: scripts/two-machines.sh [PROCESSES ON EACH] [FILE] [OPTIONS OF TRAIN...]
# Or runs another program so, such as the bench of processes: scripts/two-machines.sh 1 -- node dist/bench/processes-run.js FOLDER 1 8
set -euo pipefail
cd "$(dirname "$0")/.."
each=${1:-1}
file=${2:-}
shift $(($# < 2 ? $# : 2))
options=("$@")
[ ${#options[@]} -gt 0 ] || options=(--model trees:rounds=5 --objective lambdarank)
command -v mpirun ip unshare > /dev/null || { echo "two-machines: needs mpirun (openmpi-bin), ip (iproute2) and unshare"; exit 2; }
[ "$(id -u)" = 0 ] || { echo "two-machines: network namespaces need root"; exit 2; }

folder=$(mktemp -d)
a=tierwise-a-$$
b=tierwise-b-$$
clean() {
  for space in "$a" "$b"; do ip netns delete "$space" 2> /dev/null || true; done
  rm -rf "$folder"
}
trap clean EXIT
ip netns add "$a"
ip netns add "$b"
ip link add twv$$ netns "$a" type veth peer name tww$$ netns "$b"
ip -n "$a" address add 10.77.0.1/24 dev twv$$
ip -n "$b" address add 10.77.0.2/24 dev tww$$
for place in "$a twv$$" "$b tww$$"; do
  set -- $place
  ip -n "$1" link set lo up
  ip -n "$1" link set "$2" up
done

if [ -z "$file" ]; then # the search example, with a qid in each row
  file=$folder/rows.txt
  awk 'NR == FNR { for (i = 0; i < $1; i++) list[++n] = FNR; next } { $1 = $1 " qid:" list[FNR]; print }' \
    examples/search/train.txt.query <(gunzip -c examples/search/train.txt.gz) > "$file"
fi

# In the place of ssh: runs a command in the namespace of a host, under a name of its own.
cat > "$folder/agent" << AGENT
#!/bin/sh
host=\$1
shift
case \$host in 10.77.0.1) space=$a ;; *) space=$b ;; esac
exec ip netns exec "\$space" unshare --uts sh -c "hostname \$host; exec \$*"
AGENT
chmod +x "$folder/agent"

# Runs a command with the processes of both machines.
together() {
  ip netns exec "$a" unshare --uts sh -c "hostname 10.77.0.1; exec mpirun -n $((2 * each)) --host 10.77.0.1:$each,10.77.0.2:$each \
    --mca plm_rsh_agent $folder/agent --mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24 --mca btl tcp,self --mca pml ob1 \
    --mca mpi_yield_when_idle 1 --bind-to none $*"
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if [ "$file" = -- ]; then
  together "${options[@]}"
  exit
fi

command="$(command -v node) dist/src/cli/main.js train $file ${options[*]} --threads 1 --quiet"
$command --out "$folder/one.json" > /dev/null
together "$command --json --out $folder/two.json" | sed -n 's/.*"seconds":\({[^}]*}\).*/seconds: \1/p'
cmp "$folder/one.json" "$folder/two.json" && echo "2 machines x $each processes: the model file has the same bytes as that of one process"
