import { sealPage } from './security-headers.server.ts';

/** A form as it was sent, to be sent again. */
type SentForm = { path: string; fields: readonly (readonly [string, string])[] };

type Again = { path: string } | SentForm;

/** The value of a field, and its label. */
export type TypedText = { label: string; text: string };

/** The page to go back to. */
type Home = { path: string; text: string };

const siteHome: Home = { path: '/', text: 'Return to Home' };

/**
 * A page without React or the database, for errors before either is available: brand colours, installed fonts, and
 * nothing to fetch. `typed` shows the values of a refused form, to be copied. `again` is the way to ask for the same
 * page, or to send the same form, again. `home` null: it stands in a frame and leads nowhere.
 */
export function plainPage(
  status: number,
  title: string,
  text: string,
  headers: Record<string, string> = {},
  typed: readonly TypedText[] = [],
  again?: Again,
  home: Home | null = siteHome,
): Response {
  const kept = typed.map(({ label, text: its }) => `<p><label>${escapeHtml(label)}<br>${boxOf(its)}</label></p>\n`);
  const page = `<!doctype html>
<html lang="en-AU">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#140f33">
<title>${escapeHtml(title)} · Bowerbird Academy</title>
<link rel="icon" href="${icon}">
<style${mark}>${styles}</style>
</head>
<body>
${home ? `<header><p><a href="${home.path}">${logo} Bowerbird Academy</a></p></header>\n` : ''}<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${kept.join('')}${again ? wayBack(again) : ''}${home ? `<p><a href="${home.path}">${escapeHtml(home.text)}</a></p>\n` : ''}</main>
</body>
</html>
`;
  const { page: sealed, policy } = sealPage(page, nonce);
  return new Response(sealed, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      ...headers,
    },
  });
}

/** A short text in one line, to be copied. */
function boxOf(text: string): string {
  if (text.length <= 60 && !/[\r\n]/.test(text)) return `<input readonly value="${escapeHtml(text)}">`;
  return `<textarea rows="${text.length <= 600 ? 4 : 12}" readonly>\n${escapeHtml(text)}</textarea>`;
}

function wayBack(again: Again): string {
  const path = escapeHtml(again.path);
  if (!('fields' in again)) return `<p><a class="main" href="${path}">Try again</a></p>\n`;
  const fields = again.fields.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">\n`,
  );
  return `<form method="post" action="${path}">\n${fields.join('')}<p><button class="main">Send again</button></p>\n</form>\n`;
}

/** Line breaks of a value survive in an attribute only as references. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\n', '&#10;');
}

/** Marks our own styles for the policy; it is not sent to the browser. */
const nonce = 'plain';
const mark = ` nonce="${nonce}"`;

/** The arch over the blue gem of app/ui/logo.tsx, and the colours of app/app.css. */
const drawing =
  '<path d="M6 41C3 23 12 9 24 6M12 42C9 27 16 14 25 9M42 41C45 23 36 9 24 6M36 42C39 27 32 14 23 9" fill="none" stroke="#e8c872" stroke-width="3.4" stroke-linecap="round"/><path d="m24 21 9.5 10-9.5 12-9.5-12Z" fill="#7fa2ff"/>';
const logo = `<svg viewBox="0 0 48 48" width="32" height="32" aria-hidden="true">${drawing}</svg>`;
const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="10" fill="#140f33"/>${drawing}</svg>`,
)}`;
const styles = `
:root{color-scheme:light dark;--paper:#fbf8f0;--ink:#171334;--mute:#5a5675;--edge:#857f6c;--card:#fff;--action:#2e4be6;--link:#2e4be6;--focus:#2e4be6}
@media (prefers-color-scheme:dark){:root{--paper:#110d2d;--ink:#f4f1ff;--mute:#bfbada;--edge:#8078bd;--card:#1e1948;--action:#4a64f5;--link:#98b7ff;--focus:#e8c872}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.55 Figtree,Arial,"Liberation Sans",sans-serif}
header{background:#140f33}
header p{margin:0 auto;max-width:46rem;padding:1rem 1.25rem}
header a{display:inline-flex;align-items:center;gap:.75rem;color:#fff;font:700 1.25rem/1.2 "Bricolage Grotesque",Arial,"Liberation Sans",sans-serif;letter-spacing:-.02em;text-decoration:none}
main{margin:0 auto;max-width:46rem;padding:3rem 1.25rem}
h1{margin:0;font:700 clamp(2rem,8vw,3.25rem)/1.08 "Bricolage Grotesque",Arial,"Liberation Sans",sans-serif;letter-spacing:-.02em;text-wrap:balance}
p{max-width:36rem;margin:1.25rem 0}
h1+p{font-size:1.1875rem;color:var(--mute)}
a{color:var(--link);text-underline-offset:.25em}
.main{display:inline-block;padding:.75rem 1.5rem;border:0;border-radius:12px;background:var(--action);color:#fff;font:inherit;font-weight:700;text-decoration:none;cursor:pointer}
textarea,input{width:100%;padding:.75rem;border:1px solid var(--edge);border-radius:12px;background:var(--card);color:inherit;font:inherit}
:focus-visible{outline:3px solid var(--focus);outline-offset:3px}
header :focus-visible{outline-color:#e8c872}
`;
