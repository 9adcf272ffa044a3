import { Marked } from 'marked';

// HTML in a text is escaped, so that it is shown instead of rendered.
const marked = new Marked({ renderer: { html: ({ text }) => escapeHtml(text) } });

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
