import { data, Form, href, Link, redirect } from 'react-router';
import { playerFor } from '#app/features/people/players.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { addWish, askForDates, removeWish, stopDates } from '#app/features/wishes/commands.server.ts';
import { readWishes } from '#app/features/wishes/queries.server.ts';
import { mailWording, mostWishes } from '#app/features/wishes/rules.ts';
import { wishedCourse } from '#app/features/wishes/shown-course.ts';
import { WishRow } from '#app/features/wishes/wish-row.tsx';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { actOrAway, orAway } from '#app/http/database-away.server.ts';
import { textsOf } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { unconfirmedText } from '#app/lib/unconfirmed-text.ts';
import { button } from '#app/ui/button.ts';
import type { Route } from './+types/wishes';

export const meta = () => [{ title: 'Your wishes | Bowerbird Academy' }];

/** A player's wishes (P57). `?wish=cissp` asks whether to add that course: a link or a login adds nothing by itself. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { person } = playerFor(context);
  const { today } = momentOf(context.get(academyContext));
  const snapshot = context.get(snapshotContext).current();
  const wishes = await orAway(() => readWishes(context.get(academyContext).db, person.id));
  const asked = url.searchParams.get('wish') ?? '';
  const card = snapshot.bySlug.get(snapshot.aliases.get(asked) ?? asked)?.card;
  return {
    offered: card && !wishes.some(({ slug }) => slug === card.slug) ? { slug: card.slug, title: card.title } : null,
    wishes: wishes.map(({ courseId, slug, title, mailAsked }) => {
      const course = snapshot.bySlug.get(slug);
      return { courseId, mailAsked, title, course: course ? wishedCourse(course.card, snapshot, today) : null };
    }),
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const { person } = playerFor(context);
  // The form of a course's page is as short as it can be.
  const { act = url.searchParams.has('wish') ? 'add' : '', course: typed = '' } = textsOf(await readForm(request));
  const { db } = context.get(academyContext);
  const { now, today } = momentOf(context.get(academyContext));
  const personId = person.id;
  const { bySlug, aliases } = context.get(snapshotContext).current();
  const slug = url.searchParams.get('wish') ?? '';
  const courseId =
    act === 'add' ? (bySlug.get(aliases.get(slug) ?? slug)?.id ?? 0) : Number(/^\d{1,9}$/.exec(typed)?.[0] ?? 0);
  const refuse = (status: number, fault: string) => data({ fault }, { status });
  const done = await actOrAway(unconfirmed, () =>
    db.transaction().execute(async (trx) => {
      if (act === 'remove') await removeWish(trx, { personId, courseId }, now);
      else if (act === 'quiet') await stopDates(trx, { personId, courseId }, now);
      else if (act === 'tell') {
        const asked = await askForDates(trx, { personId, courseId }, { now, today });
        if (!asked) return refuse(409, 'This course is no longer on your list, so nothing was changed.');
      } else if (act === 'add' && courseId > 0) {
        const added = await addWish(trx, { personId, courseId }, now);
        if (!added.ok) return refuse(409, `You have ${mostWishes} wishes already. Take one off your list first.`);
      } else return refuse(404, 'We do not offer this course any more, so nothing was changed.');
      return null;
    }),
  );
  if (done) return done;
  throw redirect(href('/account/wishes'), 303);
}

const unconfirmed = unconfirmedText(
  'that your list was changed',
  'Please open it again in a few minutes: it shows what is on it. Doing it twice does no harm.',
);

export default function Wishes({ loaderData: { wishes, offered }, actionData }: Route.ComponentProps) {
  return (
    <div className="max-w-3xl">
      <h1 className="text-4xl lg:text-5xl">Your wishes</h1>
      {actionData && (
        <p role="alert" className="mt-6 rounded-card border-2 border-fault bg-card p-4 font-semibold">
          {actionData.fault}
        </p>
      )}
      {offered && (
        <Form
          method="post"
          action={`${href('/account/wishes')}?wish=${offered.slug}`}
          className="mt-6 flex flex-wrap items-center justify-between gap-4 rounded-card border border-line bg-card p-5"
        >
          <p className="wrap-anywhere">Add {offered.title} to your wishes?</p>
          <button type="submit" name="act" value="add" className={button.primary}>
            Add it
          </button>
        </Form>
      )}
      {wishes.length === 0 ? (
        <>
          <p className="mt-4">Nothing is on your list yet. Press the heart on a course to put it here.</p>
          <Link to={href('/courses')} reloadDocument className={`${button.primary} mt-6`}>
            See all courses
          </Link>
        </>
      ) : (
        <ul className="mt-6">
          {wishes.map(({ courseId, title, course, mailAsked }) => (
            <WishRow key={courseId} title={title} course={course}>
              {course && (
                <Act courseId={courseId} act={mailAsked ? 'quiet' : 'tell'} title={title}>
                  {mailAsked ? 'Stop the emails' : mailWording.replace('.', '')}
                </Act>
              )}
              <Act courseId={courseId} act="remove" title={title}>
                Remove
              </Act>
              {mailAsked && <p className="basis-full text-sm text-mute">We email you when it gets a new date.</p>}
            </WishRow>
          ))}
        </ul>
      )}
    </div>
  );
}

function Act({
  courseId,
  act,
  title,
  children,
}: {
  courseId: number;
  act: 'tell' | 'quiet' | 'remove';
  title: string;
  children: string;
}) {
  return (
    <Form method="post" action={href('/account/wishes')}>
      <input type="hidden" name="course" value={courseId} />
      <button type="submit" name="act" value={act} className={`${button.quiet} text-sm`}>
        {children}
        <span className="sr-only">: {title}</span>
      </button>
    </Form>
  );
}
