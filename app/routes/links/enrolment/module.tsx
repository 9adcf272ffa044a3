import { Form, href, Link } from 'react-router';
import { academyContext } from '#app/http/academy.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/module';
import { Away, noFault, textLink } from './frame.tsx';
import { OpenButton, stateOf, TopicList } from './module-list.tsx';
import { modulesShown } from './modules.ts';
import { openAsAsked } from './open-module-form.server.ts';
import { readForAttendee } from './private-links.server.ts';
import { noLink, pageDataOf } from './private-page.server.ts';

/** One module of guided study on its attendee's page. Reading it records nothing: mail scanners open links (P40). */
export async function loader({ context, params: { token, placeId, module } }: Route.LoaderArgs) {
  const found = await readForAttendee(context.get(academyContext), token, (_, own, moment, costOf) => {
    const place = own.find(({ id, state }) => String(id) === placeId && state !== 'cancelled');
    if (place?.way !== 'guided') return 'no-link' as const;
    const { modules, ...rest } = modulesShown(place, costOf(place), moment);
    const wanted = modules.find(({ number }) => String(number) === module);
    if (!wanted) return 'no-link' as const;
    const next = modules.find(({ number }) => number === wanted.number + 1);
    return { token, course: place.courseTitle, module: wanted, next: next?.number ?? null, ...rest };
  });
  return pageDataOf(found);
}

export async function action({ context, request, params: { token, placeId, module } }: Route.ActionArgs) {
  const result = await openAsAsked(context.get(academyContext), {
    token,
    placeId,
    module,
    form: await readForm(request),
  });
  if (!result.ok && result.status === 404) throw noLink();
  return answerForm(result, href('/place/:token/:placeId/module/:module', { token, placeId, module }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'A module of your course', 'What a module covers, and whether you have opened it.', noPage);

const formId = 'open-form';

export default function ModulePage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { token, placeId, course, module, next, opening, ends } = loaderData;
  const pathOf = (number: number) =>
    href('/place/:token/:placeId/module/:module', { token, placeId: String(placeId), module: String(number) });
  return (
    <>
      <CheckoutHead title={`${module.number}. ${module.title}`} lead={<Unbroken text={course} />} />
      <div className="page grid gap-8 pt-4 pb-10">
        <div className="grid max-w-2xl gap-5">
          <ErrorSummary form={actionData?.form ?? noFault} labels={{}} formId={formId} />
          <p className="tabular font-semibold">{stateOf(module)}</p>
          {opening === 'over' && <p>Access ended on {ends}.</p>}
          {module.openedOn === null && opening !== 'over' && (
            <Opening shown={loaderData} path={pathOf(module.number)} />
          )}
          {module.topics.length > 0 && (
            <section>
              <h2 className="text-2xl">What it covers</h2>
              <TopicList topics={module.topics} />
            </section>
          )}
          {module.openedOn !== null && opening !== 'over' && (
            <p>Your instructor hands out the reading and the exercises of this module. Access ends on {ends}.</p>
          )}
        </div>
        <p className="flex flex-wrap gap-x-6 gap-y-3">
          <Link to={href('/place/:token', { token })} className={textLink}>
            All modules
          </Link>
          {next !== null && (
            <Link to={pathOf(next)} prefetch="none" className={textLink}>
              Next module
            </Link>
          )}
        </p>
      </div>
    </>
  );
}

type ModuleData = NonNullable<Route.ComponentProps['loaderData']>;

/** What opening it does, and the button that does it. */
function Opening({ shown: { module, opening, begins, ends, effect }, path }: { shown: ModuleData; path: string }) {
  const early = opening === 'early';
  return (
    <Form
      id={formId}
      method="post"
      action={path}
      className="grid gap-4 rounded-card border-2 border-action bg-card p-5 sm:p-6"
    >
      {early && (
        <>
          <input type="hidden" name="early" value="yes" />
          <p className="font-bold">
            If you open this module now, your study starts today, not on {begins}. Access still ends on {ends}.
          </p>
        </>
      )}
      {effect && <p>{effect}</p>}
      <div>
        <OpenButton
          number={module.number}
          label={early ? `Open module ${module.number} today` : `Open module ${module.number}`}
          title={module.title}
        />
      </div>
    </Form>
  );
}
