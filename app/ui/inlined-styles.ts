/**
 * The site's styles as text: they stand in the page itself, so that the first paint waits for nothing else. The browser
 * takes them from the page it was sent, before React starts: whenever React makes the document's head anew, as it does
 * after some errors, it needs the very text that the page's policy allows.
 */
export const inlinedStyles: string = import.meta.env.SSR
  ? (await import('#app/app.css?inline')).default
  : (document.querySelector('head > style')?.textContent ?? '');
