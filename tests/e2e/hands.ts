// A person's hands, which count: keys, clicks, and a word typed as one.
import type { Locator, Page } from "playwright-core";

export class Hands {
  count = 0;
  constructor(readonly page: Page) {}
  async press(key: string): Promise<void> {
    this.count++;
    await this.page.keyboard.press(key);
  }
  async type(text: string): Promise<void> {
    this.count++;
    await this.page.keyboard.insertText(text);
  }
  async click(target: Locator): Promise<void> {
    this.count++;
    await target.click();
  }
}
