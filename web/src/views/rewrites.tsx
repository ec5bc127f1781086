// Rewrites: contexts and steps, the graph, and why it changed.
import type { View } from "./registry";

export const rewritesView: View = {
  id: "rewrites",
  title: "Rewrites",
  suits: (capture) => capture.has_rewrites,
  component: Rewrites,
};

function Rewrites() {
  return null;
}
