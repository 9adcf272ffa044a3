/**
 * The site's styles as text, on the server only: they stand in the page itself, so that the first paint waits for
 * nothing else. In the browser it is empty, and React leaves what the server sent alone.
 */
export const inlinedStyles: string = import.meta.env.SSR ? (await import('#app/app.css?inline')).default : '';
