import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { largestStatement } from '#app/features/money/statement-uploads.server.ts';
import type { HttpEnv } from '#app/http/log.server.ts';
import { plainPage } from '#app/http/plain-page.server.ts';
import { largestContent } from '#app/routes/staff/content/largest-content.ts';

const largestBody = 64 * 1024;

/** Refuses a body that is longer than its page takes (413): 64 KB, and more for bank statements and content. */
export function limitBodies(): MiddlewareHandler<HttpEnv> {
  const limitBody = bodyLimit({ maxSize: largestBody, onError: tooLarge });
  const limitStatement = bodyLimit({ maxSize: largestStatement + largestBody, onError: statementTooLarge });
  const limitContent = bodyLimit({ maxSize: largestContent, onError: tooLarge });
  return (c, next) => {
    if (bringsStatement(c)) return limitStatement(c, next);
    return /^\/staff\/content\//.test(c.req.path) ? limitContent(c, next) : limitBody(c, next);
  };
}

/** Staff upload bank statements as files; the program refuses everybody else before it reads the body. */
function bringsStatement({ req }: Context): boolean {
  return /^\/staff\/payments(\.data)?$/.test(req.path) && (req.header('Content-Type') ?? '').startsWith('multipart/');
}

function statementTooLarge(): Response {
  const text = 'Nothing was saved. Download fewer months at once from the bank.';
  const home = { path: '/staff/payments', text: 'Return to payments' };
  return plainPage(413, 'The file is over 2 MB', text, {}, [], undefined, home);
}

function tooLarge(): Response {
  return plainPage(
    413,
    'That is too much at once',
    'Nothing was saved. Shorten your message to a few pages and send it again.',
  );
}
