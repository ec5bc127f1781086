// What lies over the page once it is asked for, in one chunk.
export { Help } from "./help";
export { Bookmarks } from "./bookmarks";
export { Settings } from "./settings";
export { Palette } from "./palette";
