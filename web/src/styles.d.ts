// Styles are imported for their effect: those of the page become app.css, those of a view come with its code
// (build.mjs).
declare module "*.css";
