/**
 * A page that needs neither React nor the database, for errors before either is available. `typed` is shown to be copied:
 * what was sent with a form and could not be taken.
 */
export function plainPage(
  status: number,
  title: string,
  text: string,
  headers: Record<string, string> = {},
  typed: readonly string[] = [],
): Response {
  const kept = typed.map(
    (words) =>
      `<p><label>What you wrote<br><textarea rows="12" cols="60" readonly>\n${escapeHtml(words)}</textarea></label></p>\n`,
  );
  const html = `<!doctype html>
<html lang="en-AU">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Bowerbird Academy</title>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${kept.join('')}<p><a href="/">Return to Home</a></p>
</main>
</body>
</html>
`;
  return new Response(html, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
