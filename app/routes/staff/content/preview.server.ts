import { href } from 'react-router';
import type { Trx } from '#app/db/client.server.ts';
import { schemaFaults } from '#app/features/content/check-record.ts';
import type { Standing } from '#app/features/content/drafts.server.ts';
import { examine, readyToPublish, withFirstValues } from '#app/features/content/examine.server.ts';
import { titleOf } from '#app/features/content/form/kinds.ts';
import { planWish, readAround } from '#app/features/content/publish.server.ts';
import type { RecordKind, RecordValue } from '#app/features/content/records.ts';
import { lockContent } from '#app/features/content/revisions.server.ts';
import { faultInWords } from '#app/features/content/words.ts';
import { writeTables } from '#app/features/content/write-tables.server.ts';
import type { SnapshotStore } from '#app/features/snapshot/snapshot-store.server.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { plainPage } from '#app/http/plain-page.server.ts';
import { framedPolicy } from '#app/http/security-headers.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import type { PreviewedModule } from '#app/routes/links/enrolment/previewed-module.ts';
import { type PublicPage, publicPagesOf } from './public-pages.ts';
import type { RenderPage } from './render-page.ts';

type Parts = { store: SnapshotStore; render: RenderPage };
/** `page` is the address of one of the record's public pages, as the form sent it; the main one when it is none of them. */
type Wanted = { standing: Standing; value: RecordValue; page: string | undefined; moment: Moment };

/**
 * The public page as it would be with this value published: it is written in a transaction that is undone, and the page
 * is rendered from what it left, for this request only. Fields with a fault are shown as published.
 */
export async function answerPreview({ store, render }: Parts, wanted: Wanted): Promise<Response> {
  const { standing, moment } = wanted;
  const kind = standing.record.kind as RecordKind;
  const { value, left } = shownValue(wanted);
  if (kind === 'module') {
    const page = await render(href('/module-preview'), store, moduleTyped(wanted.value));
    return withBar(page, `${titleOf(kind, wanted.value)}, ${formatMoment(moment.now)}`);
  }
  if (!value) return cannotShow(left);
  let refused: string[] = [];
  let pages: PublicPage[] = [];
  const over = await store
    .over(async (trx) => {
      pages = publicPagesOf(kind, value, (await readAround(trx, standing.record)).published);
      refused = await laidOver(trx, standing, value, moment);
      if (refused.length > 0) throw new CannotShow();
    })
    .catch((error: unknown) => {
      if (error instanceof CannotShow) return null;
      throw error;
    });
  if (!over) return cannotShow(refused);
  const page = pages.find(({ address }) => address === wanted.page) ?? pages[0];
  if (!page) return cannotShow([]);
  const response = await render(page.address, over);
  const bar = `${titleOf(kind, value)}, ${formatMoment(moment.now)}${left.length > 0 ? `. As published: ${left.join('; ')}` : ''}`;
  return withBar(response, bar);
}

class CannotShow extends Error {}

const moduleTyped = ({ course, number, title, body }: RecordValue): PreviewedModule => ({
  course: String(course ?? ''),
  number: Number(number ?? 0),
  title: String(title ?? ''),
  body: String(body ?? ''),
});

/** The value without what its schema refuses: of a record that is published, those fields are shown as they are now. */
function shownValue({ standing: { record, current }, value, moment: { today } }: Wanted): {
  value: RecordValue | null;
  left: string[];
} {
  const faults = schemaFaults(record.kind, current ? value : withFirstValues(record.kind, value, today));
  if (faults.length === 0) return { value, left: [] };
  const left = faults.map((fault) => faultInWords(record.kind, fault));
  if (!current) return { value: null, left };
  const shown = { ...value };
  for (const field of new Set(faults.map(({ path }) => String(path[0] ?? '')))) {
    if (Object.hasOwn(current.value, field)) shown[field] = current.value[field];
    else delete shown[field];
  }
  return schemaFaults(record.kind, shown).length === 0 ? { value: shown, left } : { value: null, left };
}

/** Writes the value as publishing does; the faults that prevent it. */
async function laidOver(trx: Trx, { record }: Standing, value: RecordValue, moment: Moment): Promise<string[]> {
  const { now, today } = moment;
  await lockContent(trx);
  const opened = await readAround(trx, record);
  const examined = await examine(trx, opened, value, moment);
  const faults = [...examined.faults.map((fault) => faultInWords(record.kind, fault)), ...examined.elsewhere];
  if (faults.length > 0) return faults;
  const planned = planWish(opened, readyToPublish(opened, value, today));
  if ('faults' in planned) return planned.faults;
  await writeTables(trx, planned.changes, planned.content, now);
  return [];
}

async function cannotShow(reasons: readonly string[]): Promise<Response> {
  const text =
    reasons.length > 0
      ? `The page needs these first. ${reasons.slice(0, 10).join('. ')}`
      : 'No public page shows this yet.';
  const page = plainPage(200, 'There is no preview yet', `${text}${text.endsWith('.') ? '' : '.'}`);
  return framed(new Response(outOfFrame(await page.text()), page));
}

const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** A page that has a policy of its own keeps it, with its styles. */
function framed(response: Response): Response {
  const own = response.headers.get('Content-Security-Policy');
  response.headers.set('Content-Security-Policy', own ? framedPolicy(own) : policy);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

/** The site may not be framed, so links of a preview open outside of it. */
const outOfFrame = (html: string) => html.replace(/<head>/, '<head><base target="_blank">');

function withoutScripts(html: string): string {
  const [head = '', ...rest] = html.split('<script');
  const after = rest.map((part) => part.split('</script>').slice(1).join('</script>'));
  return head + after.join('');
}

/** The page without scripts, under a bar that says that it is a preview. */
async function withBar(response: Response, about: string): Promise<Response> {
  const text = about.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const bar = `<p role="note" class="bg-straw px-4 py-2 text-sm font-semibold text-on-straw">Preview of a draft. Nobody else sees it. ${text}</p>`;
  const html = withoutScripts(outOfFrame(await response.text()))
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replace(/<body[^<>]*>/, (body) => `${body}${bar}`);
  const headers = new Headers(response.headers);
  headers.delete('Content-Length');
  headers.set('Content-Security-Policy', framedPolicy(headers.get('Content-Security-Policy') ?? policy));
  headers.set('Cache-Control', 'no-store');
  return new Response(html, { status: response.status, headers });
}
