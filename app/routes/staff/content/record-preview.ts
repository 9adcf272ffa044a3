import {
  mergedOnto,
  newestOf,
  publishedBaseOf,
  type Standing,
  withFixed,
} from '#app/features/content/drafts.server.ts';
import { fieldsToType } from '#app/features/content/form/fields.ts';
import { kindOfAddress } from '#app/features/content/form/kinds.ts';
import { valueTyped } from '#app/features/content/form/typed.ts';
import { keyOfValue } from '#app/features/content/records.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { actOr503, unconfirmed, unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import type { Route } from './+types/record-preview';
import { standingAt } from './editor.server.ts';
import { withAddress } from './new-record-acts.server.ts';
import { answerPreview } from './preview.server.ts';
import { previewedPage } from './public-pages.ts';
import { renderPageContext } from './render-page.ts';

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
