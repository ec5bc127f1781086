// A filter by words: it keeps a text that holds all of them, in any order, whatever the case.
export function wordFilter(filter: string): (text: string) => boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const held = text.toLowerCase();
    return words.every((word) => held.includes(word));
  };
}
