/** Running text made by markdown.server.ts. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered on the server from the academy's own texts
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
