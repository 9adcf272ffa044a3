import { data, Form, href, Link } from 'react-router';
import { BowerHead } from '#app/features/bower/bower-head.tsx';
import { findPublicBower } from '#app/features/bower/queries.server.ts';
import { submitReport } from '#app/features/bower/report.server.ts';
import { Shelf } from '#app/features/bower/shelf.tsx';
import { showBowerOf } from '#app/features/bower/view.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { clientAddressContext } from '#app/http/context.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { freshForm, readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { possessive } from '#app/lib/possessive.ts';
import { NotFound } from '#app/routes/storefront/frame/not-found.tsx';
import { pageMeta } from '#app/seo/page-meta.ts';
import { bowerPicture } from '#app/seo/share-picture.ts';
import { button } from '#app/ui/button.ts';
import { FormGuards, TextArea } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/bower';

/** The bower that somebody shows to everybody (P63). What is under way is not in it. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const academy = context.get(academyContext);
  const snapshot = context.get(snapshotContext).current();
  const shown = await orAway(async () => {
    const bower = await findPublicBower(academy.db, params.name);
    return bower && { bower, ...(await showBowerOf(academy.db, { ...bower, view: 'public' }, snapshot)) };
  });
  if (!shown) return data(null, { status: 404 });
  const { bower, facts, sentence, straws, treasures, hoursPerStraw, shelf } = shown;
  const lines = snapshot.questLines.filter((_, at) => {
    const point = facts.crown[at];
    return point !== undefined && point.courses > 0 && point.finished >= point.courses;
  });
  return {
    name: bower.name,
    slug: bower.slug,
    sentence,
    straws,
    treasures,
    hoursPerStraw,
    shelf,
    since: shelf.at(-1) ? firstMonth(shelf) : null,
    lines: lines.map(({ title }) => title),
    reported: url.searchParams.has('reported'),
    form: freshForm(academy.forms),
  };
}

/** Treasures stand in the order of their certificates but for the one in the avenue. */
const firstMonth = (shelf: readonly { finished: string; issued: number }[]) =>
  shelf.reduce((first, one) => (one.issued < first.issued ? one : first)).finished;

/** Takes a report. */
export async function action({ context, request, params: { name } }: Route.ActionArgs) {
  const sent = { form: await readForm(request), address: context.get(clientAddressContext) };
  const result = await submitReport(context.get(academyContext), name, sent);
  return answerForm(result, `${href('/bowers/:name', { name })}?reported`);
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export function headers() {
  return { 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) => {
  const { loaderData } = at as Route.MetaArgs;
  if (!loaderData) return pageMeta(at, 'No bower here', 'This bower is not public.', { keep: null });
  const { name, slug, sentence, straws, treasures } = loaderData;
  const path = href('/bowers/:name/:file', { name: slug, file: 'share.png' });
  const machines = () => ({ picture: { path, picture: bowerPicture({ name, straws, treasures }) } });
  return pageMeta(at, `${possessive(name)} bower`, sentence, {
    machines: import.meta.env.SSR ? machines : undefined,
  });
};

const formId = 'report';

export default function Bower({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <NotFound />;
  const { name, slug, sentence, shelf, since, lines, reported, ...figures } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const file = (wanted: string) => href('/bowers/:name/:file', { name: slug, file: wanted });
  return (
    <>
      <BowerHead
        {...figures}
        title={`${possessive(name)} bower`}
        lead={<p>{leadOf(shelf.length, since, lines)}</p>}
        picture={{ wide: file('wide.svg'), tall: file('tall.svg'), sentence }}
      />
      <div className="on-satin bg-satin text-on-satin">
        <div className="page grid gap-10 pt-4 pb-10">
          {shelf.length > 0 && <Shelf items={shelf} />}
          <p className="max-w-prose text-on-satin-mute">
            A straw is an hour studied, a treasure a finished course. Each one can be checked by its certificate.{' '}
            <Link to={`${href('/demo')}#bower`} className="font-bold text-on-satin underline underline-offset-4">
              How a bower grows
            </Link>
          </p>
        </div>
      </div>
      <div className="on-satin bg-satin pb-12 text-on-satin">
        <div className="page">
          {reported && (
            <p role="status" className="mb-6 max-w-prose font-semibold">
              Thank you. Our staff look at every report, and hide a bower if something is wrong with it.
            </p>
          )}
          <details open={form.fault !== null || Object.keys(form.errors).length > 0} className="max-w-prose">
            <summary className="cursor-pointer text-sm font-semibold text-on-satin-mute underline underline-offset-4">
              Report this bower
            </summary>
            <Form method="post" id={formId} noValidate className="mt-5 grid gap-5 rounded-card bg-paper p-5 text-ink">
              <ErrorSummary form={form} labels={{ reason: 'What is wrong?' }} formId={formId} />
              <FormGuards form={form} />
              <TextArea form={form} name="reason" label="What is wrong?" required />
              <button type="submit" className={`${button.primary} justify-self-start`}>
                Send the report
              </button>
            </Form>
          </details>
        </div>
      </div>
    </>
  );
}

function leadOf(count: number, since: string | null, lines: readonly string[]): string {
  if (count === 0 || since === null)
    return 'Courses under way at Bowerbird Academy. The first treasure is still to come.';
  const courses = count === 1 ? '1 course' : `${count} courses`;
  const crown = lines.length > 0 ? ` The crown has a whole point for ${listOf(lines)}.` : '';
  return `${courses} finished at Bowerbird Academy since ${since}.${crown}`;
}

const listOf = (all: readonly string[]): string =>
  all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
