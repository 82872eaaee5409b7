/**
 * Names of columns of labels in which the lowest number is usually the best: places and times, in English, German, French and Spanish. A name proves nothing, so it
 * leads to a notice and no more. Times that people spend on something, such as dwell_time, are not among them.
 */

const PLACES = [
  ...["pos", "position", "place", "placement", "placing", "placed", "rank", "ranking", "finish", "standing", "ordinal"],
  ...["rang", "platz", "platzierung", "rangplatz", "classement", "puesto", "lugar", "posicion", "clasificacion"],
].join("|");
const PLACE = new RegExp(`^((final|finish|finishing|end|overall|race) ?)?(${PLACES})( ?order)?$`);

const OF_WHAT = [
  ...["lap", "finish", "finishing", "race", "run", "running", "elapsed", "total", "best", "final", "net", "gun", "chip", "split"],
  ...["sector", "response", "completion", "end", "runden", "lauf", "ziel", "gesamt", "renn", "best", "brutto", "netto"],
].join("|");
const TIMES = [
  ...["time", "secs?", "seconds", "millis", "milliseconds", "minutes", "duration", "elapsed", "latency"],
  ...["zeit", "dauer", "sekunden", "minuten", "temps", "duree", "secondes", "tiempo", "duracion", "segundos", "minutos"],
].join("|");
const OF_COURSE = "final|total|au tour|de course|de vuelta|de carrera";
const UNIT = "s|secs?|seconds?|ms|msecs?|millis|milliseconds|mins?|minutes?|hours?";
const TIME = new RegExp(`^((${OF_WHAT}) ?)?(${TIMES})( (${OF_COURSE}))?( ?\\((${UNIT})\\)| (${UNIT}))?$`);

/** Which number is usually the best in a column of this name, if it is the lowest: 1, or whatever is the lowest. */
export function lowestBest(column: string): "1" | "the lowest" | undefined {
  const name = column
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
  return PLACE.test(name) ? "1" : TIME.test(name) ? "the lowest" : undefined;
}
