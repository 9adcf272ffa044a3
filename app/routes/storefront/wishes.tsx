import { useCallback, useEffect, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import { deviceWishes, seemsSignedIn, setDeviceWish } from '#app/features/wishes/device-wishes.ts';
import { mostAsked, type WishedCourse } from '#app/features/wishes/rules.ts';
import { WishRow } from '#app/features/wishes/wish-row.tsx';
import type { SharedPage } from '#app/http/shared-page.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { focusPageIfLost } from '#app/ui/use-focus-kept.ts';
import type { Route } from './+types/wishes';

export const handle: SharedPage = { shared: { parameters: [] } };

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Wishes', 'The courses that you wish for, kept on this device or in your account.', noPage);

type List = { state: 'reading' | 'unreachable' } | { state: 'read'; courses: WishedCourse[]; gone: string[] };

/** The wishes that this device keeps (P57). The page is the same for everybody; the browser lists what is its own. */
export default function Wishes() {
  const [list, setList] = useState<List>({ state: 'reading' });
  const read = useCallback(async () => setList(await readList().catch((): List => ({ state: 'unreachable' }))), []);
  useEffect(() => {
    // A player has them in the account, on every device.
    if (seemsSignedIn()) location.replace(href('/account/wishes'));
    else void read();
  }, [read]);
  const removed = useRef(false);
  useEffect(() => {
    // The button that was pressed is gone with its row.
    if (removed.current && list.state === 'read') focusPageIfLost();
  }, [list]);
  const remove = (slugs: readonly string[]) => {
    removed.current = true;
    for (const slug of slugs) setDeviceWish(slug, false);
    void read();
  };
  return (
    <>
      <PageHead
        title="Wishes"
        lead="Press the heart on a course to keep it here. Your wishes stay on this device. Log in to have them on every device."
      >
        <a href={`${href('/login')}?to=${href('/account/wishes')}`} className={button.straw}>
          Login
        </a>
      </PageHead>
      <div className="page min-h-60 py-10 lg:py-14">
        <noscript>
          <p>
            Without scripts this device keeps no wishes. Log in, then press “Wish for this course” on a course’s page.
          </p>
        </noscript>
        {list.state === 'unreachable' && (
          <div role="alert">
            <p>We could not reach the academy, so we could not list your wishes. They are still on this device.</p>
            <button type="button" className={`${button.quiet} mt-4`} onClick={() => void read()}>
              Try again
            </button>
          </div>
        )}
        {list.state === 'read' && list.courses.length + list.gone.length === 0 && (
          <>
            <p>Nothing is on your list yet.</p>
            <Link to={href('/courses')} className={`${button.primary} mt-6`}>
              See all courses
            </Link>
          </>
        )}
        {list.state === 'read' && list.courses.length > 0 && (
          <ul className="max-w-3xl">
            {list.courses.map((course) => (
              <WishRow key={course.slug} title={course.title} course={course}>
                <button type="button" className={`${button.quiet} text-sm`} onClick={() => remove([course.slug])}>
                  Remove<span className="sr-only">: {course.title}</span>
                </button>
              </WishRow>
            ))}
          </ul>
        )}
        {list.state === 'read' && list.gone.length > 0 && (
          <p className="mt-6">
            We no longer offer {list.gone.length === 1 ? 'one course' : `${list.gone.length} courses`} of your list.{' '}
            <button
              type="button"
              className="font-bold text-link underline underline-offset-4"
              onClick={() => remove(list.gone)}
            >
              Remove {list.gone.length === 1 ? 'it' : 'them'}
            </button>
          </p>
        )}
      </div>
    </>
  );
}

/** Asks what there is to show of the device's wishes, some of them at a time. */
async function readList(): Promise<List> {
  const slugs = deviceWishes();
  const courses: WishedCourse[] = [];
  for (let at = 0; at < slugs.length; at += mostAsked) {
    const some = new URLSearchParams({ courses: slugs.slice(at, at + mostAsked).join(' ') });
    const answer = await fetch(`/api/wishes?${some}`);
    if (!answer.ok) return { state: 'unreachable' };
    const found: WishedCourse[] = await answer.json();
    courses.push(...found);
  }
  const offered = new Set(courses.map(({ slug }) => slug));
  return { state: 'read', courses, gone: slugs.filter((slug) => !offered.has(slug)) };
}
