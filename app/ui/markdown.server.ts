import { Marked } from 'marked';

// HTML in a text stands there as written, it is not obeyed.
const marked = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } });

/**
 * Markdown of our own texts to HTML.
 * Code and tables scroll by themselves where they are too wide, so they can be reached by keyboard.
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
