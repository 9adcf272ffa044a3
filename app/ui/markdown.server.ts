import { marked } from 'marked';

/**
 * Markdown of our own texts to HTML. Not for what visitors write: HTML in it would go through.
 * Code and tables scroll by themselves where they are too wide, so they can be reached by keyboard.
 */
export function renderMarkdown(text: string): string {
  return marked
    .parse(text, { async: false, gfm: true })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="scroller" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}
