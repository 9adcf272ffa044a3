import { Marked } from 'marked';
import { slugFrom } from '#app/lib/slug-from.ts';

/** The targets that a link may have: nothing that runs in the page. */
const ofLinks = /^(?:https:|mailto:|tel:|#|\/(?![/\\]))/i;
/** Pictures are ours: a browser loads no others on our pages. */
const ofPictures = /^\/(?![/\\])/;

const marked = new Marked({
  renderer: {
    // HTML in a text is escaped, so that it is shown instead of rendered.
    html: ({ text }) => escapeHtml(text),
    // Links lead to a part of a text, such as /terms#if-you-cancel.
    heading({ tokens, depth, text }) {
      const id = depth === 2 ? ` id="${slugFrom(text)}"` : '';
      return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return ofLinks.test(href) ? false : this.parser.parseInline(tokens);
    },
    image: ({ href, text }) => (ofPictures.test(href) ? false : escapeHtml(text)),
  },
});

/** The first address in a text that its page would leave out; null for none. */
export function refusedAddressIn(text: string): string | null {
  let refused: string | null = null;
  marked.walkTokens(marked.lexer(text), (token) => {
    const leadsOut =
      (token.type === 'link' && !ofLinks.test(token.href)) || (token.type === 'image' && !ofPictures.test(token.href));
    if (leadsOut && 'href' in token) refused ??= token.href;
  });
  return refused;
}

/** The parts of a text, by its headings of the second order. */
export function contentsOf(text: string): { id: string; text: string }[] {
  return marked
    .lexer(text)
    .flatMap((token) =>
      token.type === 'heading' && token.depth === 2 ? [{ id: slugFrom(token.text), text: token.text }] : [],
    );
}

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
