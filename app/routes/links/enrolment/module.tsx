import { Form, href, Link } from 'react-router';
import { z } from 'zod';
import { findLink } from '#app/features/enrolments/links.server.ts';
import { modulesShown } from '#app/features/enrolments/modules.ts';
import { handIn, type NotHandedIn, saveAnswerDraft } from '#app/features/study/exercises.server.ts';
import { readModuleStandings, readModuleStudy } from '#app/features/study/module-page.server.ts';
import { type NotOpened, openModule } from '#app/features/study/modules.server.ts';
import { type Academy, academyContext, momentOf } from '#app/http/academy.server.ts';
import { firstFaults, optionalLine, optionalTextWithin } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm, blankForm, type FormWords, type Refusal, takeForm } from '#app/http/take-form.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { CheckoutHead } from '#app/routes/enrol/checkout-head.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { Unbroken } from '#app/ui/unbroken.tsx';
import type { Route } from './+types/module';
import { Away, textLink } from './frame.tsx';
import { OpenButton, Overdue, stateOf, TopicList } from './module-list.tsx';
import { answerFormId, answerLabels, type ModuleLink, ModuleNav, ModuleStudy, ProgressLine } from './module-study.tsx';
import { readForAttendee } from './private-links.server.ts';
import { noLink, pageDataOf } from './private-page.server.ts';
import { meanwhile } from './take-buyer-act.server.ts';

/** Takes the button of an attendee's page that opens a module (P40). Sending it again does no harm. */
function openAsAsked(
  academy: Academy,
  { token, placeId, module, form }: { token: string; placeId: string; module: string; form: FormData | null },
): Promise<{ ok: true } | Refusal> {
  return takeForm({ form, fresh: blankForm('Nothing was changed'), words: openingWords }, async (values, refuse) => {
    if (!/^\d{1,15}$/.test(placeId) || !/^\d{1,4}$/.test(module)) return refuse(404, {});
    const result = await academy.db.transaction().execute(async (trx) => {
      const link = await findLink(trx, token);
      if (!link || link.attendeeId === null) return null;
      const { enrolmentId, attendeeId } = link;
      const opening = { placeId: Number(placeId), module: Number(module), early: values.early === 'yes' };
      return openModule(trx, { enrolmentId, attendeeId, ...opening }, momentOf(academy));
    });
    if (result?.ok) return { ok: true };
    if (!result || result.reason === 'no-module') return refuse(404, {});
    return refuse(409, openingRefusals[result.reason]);
  });
}

const openingRefusals: Record<Exclude<NotOpened['reason'], 'no-module'>, string> = {
  meanwhile,
  'access-over': 'Access to the modules has ended, so you can no longer open modules.',
  overdue: 'The invoice for this place is overdue. You can open further modules once it is paid.',
  'begins-later': 'Your study has not begun yet. Please read below what opening a module now does, and confirm it.',
};

const openingWords: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  away: unconfirmedText(
    'that the module is opened',
    'Please press the button again in a few minutes. Doing it twice does no harm.',
  ),
  busy: 'Many people are here at the moment, so the module is not opened yet. Please press the button again in a few seconds.',
};

const typed = z.object({
  act: z.enum(['hand-in', 'draft']),
  answer: optionalTextWithin(20_000),
  link: optionalLine(2000).refine((text) => text === '' || isWebAddress(text), {
    error: 'Enter an address that begins with https:// or http://.',
  }),
});

type Asked = { token: string; placeId: string; module: string; form: FormData | null };

/** Takes the answer to an exercise from the page of a private link (P60): handed in, or kept as a draft. */
function takeAnswer(academy: Academy, { token, placeId, module, form }: Asked): Promise<{ ok: true } | Refusal> {
  return takeForm({ form, fresh: blankForm(), words: studyWords }, async (values, refuse) => {
    if (!/^\d{1,15}$/.test(placeId) || !/^\d{1,4}$/.test(module)) return refuse(404, {});
    const parsed = typed.safeParse(values);
    if (!parsed.success) return refuse(400, { errors: firstFaults(parsed.error) });
    const { act, answer: body, link } = parsed.data;
    const result = await academy.db.transaction().execute(async (trx) => {
      const owner = await findLink(trx, token);
      if (!owner || owner.attendeeId === null) return null;
      const answer = { attendeeId: owner.attendeeId, placeId: Number(placeId), module: Number(module), body, link };
      return act === 'draft' ? saveAnswerDraft(trx, answer, momentOf(academy)) : handIn(trx, answer, momentOf(academy));
    });
    if (result?.ok) return result;
    if (!result || result.reason === 'no-module') return refuse(404, {});
    const { reason } = result;
    return reason === 'empty' || reason === 'both'
      ? refuse(400, { errors: { answer: studyRefusals[reason] } })
      : refuse(409, studyRefusals[reason]);
  });
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const studyRefusals: Record<Exclude<NotHandedIn['reason'], 'no-module'>, string> = {
  'not-opened': 'Open the module first.',
  'access-over': 'Access to the modules has ended, so nothing more can be handed in.',
  accepted: 'This exercise is accepted already. There is nothing more to hand in.',
  empty: 'Write your answer, or enter a link to it.',
  both: 'Hand in a text or a link, not both.',
  'too-often': 'You have handed in this exercise 50 times. Please write to your instructor.',
};

const studyWords: FormWords = {
  unreadable: 'Part of the form was missing. Please send it again.',
  notSaved:
    'Our system is not available, so your answer is not saved yet. It is still below. Please send it again in a few minutes.',
  away: unconfirmedText(
    'that your answer arrived',
    'It is still below. Please send it again in a few minutes: the same answer counts once.',
  ),
  busy: 'Many people are here at the moment, so your answer is not saved yet. It is still below. Please send it again in a few seconds.',
};

/** One module of guided study on its attendee's page. Reading it records nothing: mail scanners open links (P40). */
export async function loader({ context, params: { token, placeId, module } }: Route.LoaderArgs) {
  const found = await readForAttendee(context.get(academyContext), token, async ({ id }, own, moment, costOf, trx) => {
    const place = own.find(({ id, state }) => String(id) === placeId && state !== 'cancelled');
    if (place?.way !== 'guided') return 'no-link' as const;
    const standings = await readModuleStandings(trx, place, { enrolmentId: id, today: moment.today });
    const { modules, ...rest } = modulesShown(place, costOf(place), standings, moment);
    const wanted = modules.find(({ number }) => String(number) === module);
    if (!wanted) return 'no-link' as const;
    const titles = modules.map(({ title }) => title);
    const sold = { placeId: place.id, courseId: place.courseId, module: wanted.number, titles };
    const study = await readModuleStudy(trx, sold);
    const isOpen = wanted.openedOn !== null && rest.opening !== 'over';
    const links = modules.map((one): ModuleLink => {
      const exercise = study.states.get(one.number) ?? 'none';
      const to = href('/place/:token/:placeId/module/:module', { token, placeId, module: String(one.number) });
      return { number: one.number, title: one.title, state: exerciseWords[exercise] ?? stateOf(one), to };
    });
    const [answer, link] = [study.draft?.body ?? '', study.draft?.link ?? ''];
    return {
      token,
      course: place.courseTitle,
      module: wanted,
      links,
      isOpen,
      progress: study.progress,
      study: {
        state: study.state,
        reading: isOpen && study.reading !== null ? renderMarkdown(study.reading) : null,
        exercise: isOpen && study.exercise !== null ? renderMarkdown(study.exercise) : null,
        thread: study.thread.map(({ id, body, link: to, at, marks }) => ({
          id,
          at: formatMoment(at),
          body: showControlCharacters(body ?? ''),
          link: to ?? '',
          marks: marks.map((mark) => ({
            ...mark,
            by: mark.by ?? 'Your instructor',
            comment: mark.comment ?? '',
            at: formatMoment(mark.at),
          })),
        })),
        draftSaved: study.draft && formatMoment(study.draft.at),
      },
      form: { ...blankForm(), values: { answer, link } },
      ...rest,
    };
  });
  return pageDataOf(found);
}

const exerciseWords: Readonly<Record<string, string | undefined>> = {
  accepted: 'Accepted',
  'not-yet': 'Not yet, hand in again',
  'handed-in': 'Handed in',
};

export async function action({ context, request, params: { token, placeId, module } }: Route.ActionArgs) {
  const academy = context.get(academyContext);
  const form = await readForm(request);
  const asked = { token, placeId, module, form };
  const result = await (form?.has('act') ? takeAnswer(academy, asked) : openAsAsked(academy, asked));
  if (!result.ok && result.status === 404) throw noLink();
  return answerForm(result, href('/place/:token/:placeId/module/:module', { token, placeId, module }));
}

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'A module of your course', 'What a module covers, its reading and its exercise.', noPage);

const openFormId = 'open-form';

export default function ModulePage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { token, placeId, course, module, links, opening, ends, isOpen, study, progress } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const path = href('/place/:token/:placeId/module/:module', {
    token,
    placeId: String(placeId),
    module: String(module.number),
  });
  const next = links.find(({ number }) => number === module.number + 1);
  const before = links.find(({ number }) => number === module.number - 1);
  return (
    <>
      <CheckoutHead title={`${module.number}. ${module.title}`} lead={<Unbroken text={course} />} />
      <div className="page grid items-start gap-8 pt-4 pb-10 lg:grid-cols-[15rem_minmax(0,44rem)] lg:gap-16">
        <div className="grid gap-5">
          <p>
            <Link to={href('/place/:token', { token })} className={textLink}>
              All modules
            </Link>
          </p>
          <ProgressLine {...progress} />
          <ModuleNav modules={links} current={module.number} />
          <p className="text-sm text-mute">
            We record when you open a module. If you cancel, the modules you have not opened count for your refund.
          </p>
        </div>
        <div className="grid min-w-0 grid-cols-1 gap-8">
          <ErrorSummary form={form} labels={answerLabels} formId={isOpen ? answerFormId : openFormId} />
          <p className="tabular font-semibold">{stateOf(module)}</p>
          {opening === 'over' && <p>Access ended on {ends}.</p>}
          {module.openedOn === null && <Opening shown={loaderData} path={path} />}
          {module.topics.length > 0 && (
            <section>
              <h2 className="text-2xl">What it covers</h2>
              <TopicList topics={module.topics} />
            </section>
          )}
          {(isOpen || study.thread.length > 0) && (
            <ModuleStudy
              // The form starts again with what is stored: an answer that was taken is no longer in it.
              key={`${module.number} ${study.thread.length} ${study.draftSaved}`}
              study={study}
              form={form}
              path={path}
              open={isOpen}
            />
          )}
          {isOpen && <p className="text-mute">Access ends on {ends}.</p>}
          <p className="flex flex-wrap justify-between gap-x-6 gap-y-3 border-t border-line pt-5">
            {before && (
              <Link to={before.to} prefetch="none" className={textLink}>
                {before.title}
              </Link>
            )}
            {next && (
              <Link to={next.to} prefetch="none" className={textLink}>
                Next module
              </Link>
            )}
          </p>
        </div>
      </div>
    </>
  );
}

type ModuleData = NonNullable<Route.ComponentProps['loaderData']>;

/** The effect of opening it, and the button; of a module that was asked for, when it comes (P105). */
function Opening({ shown: { module, opening, begins, ends, effect }, path }: { shown: ModuleData; path: string }) {
  const { comesBy, written } = module;
  if (opening === 'over') return null;
  if (comesBy !== null && !written) {
    return (
      <p className="rounded-card border-2 border-action bg-card p-5 sm:p-6">
        We have asked your instructor for this module. It comes by the end of {comesBy}, and we email you. Until it is
        here, it takes nothing off the refund.
      </p>
    );
  }
  if (opening === 'overdue') return <Overdue />;
  const early = opening === 'early';
  return (
    <Form
      id={openFormId}
      method="post"
      action={path}
      className="grid gap-4 rounded-card border-2 border-action bg-card p-5 sm:p-6"
    >
      {early && (
        <>
          <input type="hidden" name="early" value="yes" />
          <p className="font-bold">
            {written
              ? 'If you open this module now, your study starts today'
              : 'If you open this module now, your study starts when it comes'}
            , not on {begins}. Access still ends on {ends}.
          </p>
        </>
      )}
      {!written && (
        <p>
          The text of this module is not here yet. If you open it, we ask your instructor to hand it out by the end of
          the next business day. Until it is here, it takes nothing off the refund.
        </p>
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
