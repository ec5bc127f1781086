// Styles are imported for their effect: the bundler collects them into app.css.
declare module "*.css";
