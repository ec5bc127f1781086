// Styles are imported for their effect: together they become app.css (build.mjs).
declare module "*.css";
