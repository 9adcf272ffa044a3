/**
 * The site's styles as text: they are inlined in the page, so that the first paint waits for no other request. The
 * browser reads them from the page it received, before React starts: whenever React renders the document's head anew, as
 * it does after some errors, it needs exactly the text whose hash the page's policy allows.
 */
export const inlinedStyles: string = import.meta.env.SSR
  ? (await import('#app/inlined.css?inline')).default
  : (document.querySelector('head > style')?.textContent ?? '');
