// What of the rewrites is drawn only once it is asked for, in one chunk: many small ones would weigh more than they save.
export { DiffSections } from "./diff-section";
export { HideChoices } from "./hide-choices";
export { NodeTab } from "./node-tab";
export { SourceTab, TextTab } from "./text-tabs";
