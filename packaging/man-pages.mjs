// Makes manual pages of what `vizd help --markdown` prints: vizd help --markdown | node packaging/man-pages.mjs FOLDER
// VERSION writes FOLDER/vizd.1 and FOLDER/vizd-COMMAND.1 for each command.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [folder, version] = process.argv.slice(2);
const sections = readFileSync(0, "utf8").split(/^## /m);

/** As troff prints it letter by letter. */
function plain(text) {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("'", "\\(aq").replaceAll("`", "");
  const ascii = escaped.replace(/[^\x00-\x7f]/gu, (c) => `\\[u${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
  return ascii.replace(/^\./, "\\&.");
}

/** The rows of a section's table, each a list of cells, without the head. */
function rowsOf(section) {
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  const cells = (line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  return lines.slice(2).map(cells);
}

/** What stands between a section's title and its table: paragraphs, with lists. */
function prose(section) {
  const text = section.slice(section.indexOf("\n")).split(/^\|/m)[0].trim();
  const lines = text.split("\n").map((line) => (line.startsWith("- ") ? `.IP \\(bu 2\n${plain(line.slice(2))}` : plain(line)));
  return lines.join("\n").replace(/\n{2,}/g, "\n.PP\n");
}

/** Where the row only points to the options that all have in common, this says where those are. */
function entry([argument, about]) {
  if (argument.startsWith("*")) return `.PP\nOptions of every command on captures are told in\n.BR vizd (1).\n`;
  return `.TP\n.B ${plain(argument)}\n${plain(about)}\n`;
}

const isArgument = ([argument]) => !argument.startsWith("`-") && !argument.startsWith("*");

function page(name, about, section, more) {
  const rows = rowsOf(section).filter(([argument]) => name !== "vizd" || !argument.startsWith("*"));
  const words = rows.filter(isArgument).map(([argument]) => ` ${plain(argument)}`);
  return `.\\" Made by packaging/man\\-pages.mjs of vizd's own help.
.TH ${name.toUpperCase()} 1 "" "vizd ${version}" "vizd"
.SH NAME
${plain(name)} \\- ${plain(about)}
.SH SYNOPSIS
.B ${plain(name.replace("-", " "))}
[\\fIoption\\fR ...]${words.join("")}
.SH DESCRIPTION
${prose(section)}
.SH OPTIONS
${rows.map(entry).join("")}${more}`;
}

const titled = new Map(sections.slice(1).map((section) => [section.slice(0, section.indexOf("\n")), section]));
const commands = rowsOf(sections[0]).map(([link, about]) => [/`vizd ([^`]+)`/.exec(link)[1], about]);
const seeAlso = (names) => `.SH SEE ALSO\n${names.map((name) => `.BR ${plain(name)} (1)`).join(",\n")}\n`;

const status = `.SH EXIT STATUS
0: all is well. 1: the input cannot be read, or does not hold what is asked for. 2: the arguments make no sense. Some
commands have more, which their own pages tell.
`;
const formats = rowsOf(titled.get("Formats")).map(
  ([name, reads, writes]) =>
    `.TP\n.B ${plain(name)}\n${reads ? `reads ${plain(reads)}` : ""}${reads && writes ? "; " : ""}${writes ? `writes ${plain(writes)}` : ""}\n`,
);
const whole = `.SH COMMANDS
${commands.map(([name, about]) => `.TP\n.BR vizd\\-${plain(name)} (1)\n${plain(about)}\n`).join("")}.SH OPTIONS OF EVERY COMMAND ON CAPTURES
${rowsOf(titled.get("Captures")).map(entry).join("")}.SH FORMATS
${formats.join("")}.SH ENVIRONMENT
.TP
.B PORT
The port, where \\-\\-port is not given.
.TP
.B BROWSER
Opens the page, where it is not empty.
${status}${seeAlso(commands.map(([name]) => `vizd-${name}`))}`;

mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/vizd.1`, page("vizd", "shows what a compiler did to a graph, and what devices then did", titled.get("vizd"), whole));
for (const [name, about] of commands)
  writeFileSync(`${folder}/vizd-${name}.1`, page(`vizd-${name}`, about, titled.get(`vizd ${name}`), status + seeAlso(["vizd"])));
