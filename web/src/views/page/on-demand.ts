// What lies over the page once it is asked for, in one chunk.
export { Help } from "./help";
export { Palette } from "./palette";
