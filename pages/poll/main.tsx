/** The page of polls. The path says which view: creating, voting, results or administration. */
import { render } from "preact";
import { AdminView } from "./admin-view.tsx";
import { CreateView } from "./create-view.tsx";
import { ResultsView } from "./results-view.tsx";
import { VoteView } from "./vote-view.tsx";

function View() {
  const [, token, results] = /^\/p\/([\w-]+)(\/results)?$/.exec(location.pathname) ?? [];
  if (token !== undefined) return results ? <ResultsView token={token} /> : <VoteView token={token} />;
  return location.pathname === "/admin" ? <AdminView admin={location.hash.slice(1)} /> : <CreateView />;
}

// A link to another poll may differ in its fragment alone, which loads no page.
addEventListener("hashchange", () => location.reload());

render(<View />, document.getElementById("app")!);
