// The browser of everything that drives the page: the e2e tests, pictures, benchmarks, JupyterLab. It is Debian's headless
// Chromium, which takes a third less of the machine than the one with windows.

/** What Playwright's `launch` and `launchServer` are given. */
export const browserOptions = {
  executablePath: process.env.VIZD_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

/** The same with further arguments. */
export const browserOptionsWith = (...args) => ({ ...browserOptions, args: [...browserOptions.args, ...args] });
