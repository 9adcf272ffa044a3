import { marked } from 'marked';

/** Markdown of our own texts to HTML. Not for what visitors write: HTML in it would go through. */
export function renderMarkdown(text: string): string {
  return marked.parse(text, { async: false, gfm: true });
}
