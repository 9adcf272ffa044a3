/** A signed document for programs that verify it, in pages of other sites too. */
export const signedJson = (body: string, headers: Record<string, string>): Response =>
  new Response(body, {
    headers: {
      'Content-Type': 'application/ld+json; charset=utf-8',
      'Access-Control-Allow-Origin': '*',
      'X-Robots-Tag': 'noindex',
      ...headers,
    },
  });
