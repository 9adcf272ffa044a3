/**
 * The site's styles as text, on the server only: they are inlined in the page, so that the first paint waits for no
 * other request. In the browser the text is empty, and hydration keeps the styles that the server sent.
 */
export const inlinedStyles: string = import.meta.env.SSR ? (await import('#app/app.css?inline')).default : '';
