import { describe, expect, it } from "vitest";
import { lowestBest } from "./label-names.ts";

describe("names of labels of which the lowest is usually the best", () => {
  it.each([
    ...["place", "pos", "Position", "rank", "RANK", "final_rank", "finish-position", "positionOrder", "ranking", "placement"],
    ...["Rang", "Platz", "Platzierung", "Classement", "Puesto", "posición", "Posicion", "lugar", "clasificación", " place "],
  ])("places: %s", (name) => expect(lowestBest(name)).toBe("1"));

  it.each([
    ...["time", "seconds", "secs", "lap_time", "laptime", "Lap Time (s)", "finish_time", "race-time", "duration", "time_ms"],
    ...["elapsed", "elapsed_seconds", "response_time", "minutes", "latency", "Zeit", "Rundenzeit", "Dauer", "Sekunden", "temps"],
    ...["durée", "temps_au_tour", "tiempo", "duración", "tiempo de vuelta", "segundos", "chip time"],
  ])("times: %s", (name) => expect(lowestBest(name)).toBe("the lowest"));

  it.each([
    ...["label", "rating", "relevance", "grade", "stars", "score", "points", "price", "tier", "clicks", "placebo", "positive"],
    ...[
      "dwell_time",
      "watch_time",
      "time_spent",
      "time_on_page",
      "timestamp",
      "times",
      "tempo",
      "display",
      "frank",
      "duration_watched",
    ],
    ...["prank", "rank_score", "screen_time", "min", "ms", "position_bias", "", "rangers", "temperature", "placeholder"],
  ])("others: %s", (name) => expect(lowestBest(name)).toBeUndefined());
});
