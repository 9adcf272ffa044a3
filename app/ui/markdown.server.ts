import { Marked } from 'marked';
import { slugFrom } from '#app/lib/slug-from.ts';

const marked = new Marked({
  renderer: {
    // HTML in a text is escaped, so that it is shown instead of rendered.
    html: ({ text }) => escapeHtml(text),
    // Links lead to a part of a text, such as /terms#if-you-cancel.
    heading({ tokens, depth, text }) {
      const id = depth === 2 ? ` id="${slugFrom(text)}"` : '';
      return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  },
});

/**
 * Renders the Markdown of our own texts as HTML.
 * Code blocks and tables scroll when they are too wide, so they must be focusable by keyboard.
 */
export function renderMarkdown(text: string): string {
  return marked
    .parse(text, { async: false, gfm: true })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="scroller" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
