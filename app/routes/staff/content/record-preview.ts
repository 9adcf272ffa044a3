import { href } from 'react-router';
import type { Trx } from '#app/db/client.server.ts';
import { schemaFaults } from '#app/features/content/check-record.ts';
import {
  mergedOnto,
  newestOf,
  publishedBaseOf,
  type Standing,
  withFixed,
} from '#app/features/content/drafts.server.ts';
import { examine, readyToPublish, withFirstValues } from '#app/features/content/examine.server.ts';
import { fieldsToType } from '#app/features/content/form/fields.ts';
import { kindOfAddress, titleOf } from '#app/features/content/form/kinds.ts';
import { valueTyped } from '#app/features/content/form/typed.ts';
import { planWish, readAround } from '#app/features/content/publish.server.ts';
import { keyOfValue, type RecordKind, type RecordValue } from '#app/features/content/records.ts';
import { lockContent } from '#app/features/content/revisions.server.ts';
import { faultInWords } from '#app/features/content/words.ts';
import { writeTables } from '#app/features/content/write-tables.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { type SnapshotStore, snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext, type Moment, momentOf } from '#app/http/academy.server.ts';
import { actOr503, unconfirmed, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { plainPage } from '#app/http/plain-page.server.ts';
import { framedPolicy } from '#app/http/security-headers.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import type { PreviewedModule } from '#app/routes/links/enrolment/previewed-module.ts';
import type { Route } from './+types/record-preview';
import { standingAt } from './editor.server.ts';
import { withAddress } from './new-record-acts.server.ts';
import { type PublicPage, previewedPage, publicPagesOf } from './public-pages.ts';
import { type RenderPage, renderPageContext } from './render-page.ts';

type Parts = { store: SnapshotStore; render: RenderPage };
/** `page` is the address of one of the record's public pages, as the form sent it; the main one when it is none of them. */
type Wanted = { standing: Standing; value: RecordValue; page: string | undefined; moment: Moment };

/**
 * The public page as it would be with this value published: it is written in a transaction that is undone, and the page
 * is rendered from what it left, for this request only. Fields with a fault are shown as published.
 */
async function answerPreview({ store, render }: Parts, wanted: Wanted): Promise<Response> {
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

function cannotShow(reasons: readonly string[]): Response {
  const text =
    reasons.length > 0
      ? `The page needs these first: ${reasons
          .slice(0, 10)
          .map((reason) => reason.replace(/: missing$/, ''))
          .join(', ')}`
      : 'No public page shows this yet.';
  const page = plainPage(
    200,
    'There is no preview yet',
    `${text}${text.endsWith('.') ? '' : '.'}`,
    {},
    [],
    undefined,
    null,
  );
  return framed(page);
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

/** The public page with the kept draft laid over it (P72). */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'content:read');
  const academy = context.get(academyContext);
  return unlessDatabaseAway(async () => {
    const standing = blankAt(params) ?? (await standingAt(academy.db, actor, params));
    const newest = newestOf(standing);
    const { value } = mergedOnto(standing, newest?.value ?? {}, publishedBaseOf(newest));
    const page = url.searchParams.get(previewedPage) ?? undefined;
    return answerPreview(partsOf(context), { standing, value, page, moment: momentOf(academy) });
  });
}

/** The preview of the typed form, which is not stored; also of a record that was never saved. */
export async function action({ context, request, params }: Route.ActionArgs) {
  const actor = staffFor(context, 'content:change');
  const academy = context.get(academyContext);
  const typed = textsOf(await readForm(request));
  return actOr503(unconfirmed, async () => {
    const kept = blankAt(params) ?? (await standingAt(academy.db, actor, params));
    const { kind } = kept.record;
    const fields = fieldsToType(kind, kept.current !== undefined);
    const whole = valueTyped(fields, typed);
    const isNew = kept.record.id === 0;
    const own = isNew ? withAddress(kind, whole) : withFixed(kept, whole);
    const standing = isNew ? { ...kept, record: { ...kept.record, key: keyOfValue(kind, own) } } : kept;
    const onto = Number(/^\d{1,9}$/.exec(typed.onto ?? '')?.[0] ?? 0);
    const { value } = mergedOnto(standing, own, onto);
    return answerPreview(partsOf(context), {
      standing,
      value,
      page: typed[previewedPage],
      moment: momentOf(academy),
    });
  });
}

/** A record that is typed and not saved yet; null for one that is. */
function blankAt({ kind: address, id }: Route.LoaderArgs['params']): Standing | null {
  const kind = id === 'new' ? kindOfAddress(address) : undefined;
  return kind ? { record: { id: 0, kind, key: '' }, revisions: [], current: undefined, draft: undefined } : null;
}

const partsOf = (context: Route.LoaderArgs['context']) => ({
  store: context.get(snapshotContext),
  render: context.get(renderPageContext),
});
