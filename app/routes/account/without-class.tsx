import { href, Link } from 'react-router';
import { button } from '#app/ui/button.ts';
import type { NextQuest } from './next-quest.ts';

/** The next step in guided study: `act` is the button to `page`. */
export type GuidedNext = {
  title: string;
  asks: string | null;
  /** The Monday on which it begins, until it has begun. */
  begins: string | null;
  /** `Module 1: What a SOC is for`; null once every exercise is handed in. */
  module: string | null;
  act: string;
  page: string;
};

/** The suggestions for a player without a class ahead (P56). */
export type GoingOn =
  /** Nothing was bought and nothing is attended yet. */
  | { kind: 'new' }
  /** Guided study that is not over. */
  | { kind: 'guided'; study: GuidedNext }
  /** Every course of theirs is finished; `title` and `number` are those of the last certificate. */
  | { kind: 'finished'; title: string; number: string; quest: NextQuest | null }
  | { kind: 'waits' };

export type WithoutClassProps = {
  name: string | null;
  goingOn: GoingOn;
  /** Straws, treasures and XP in words. */
  figures: string[];
};

const quietLink = 'inline-flex min-h-11 items-center font-bold underline underline-offset-4';

/** The head of an account without a class ahead: the study, the next quest, or for a new player the courses. */
export function WithoutClass({ name, goingOn, figures }: WithoutClassProps) {
  if (goingOn.kind === 'new') return <New name={name} />;
  if (goingOn.kind === 'guided') return <Guided study={goingOn.study} />;
  return (
    <>
      <h1 className="text-4xl text-balance wrap-anywhere lg:text-5xl">{name ? `Hello, ${name}` : 'Your account'}</h1>
      <p className="mt-4 max-w-prose text-lg text-on-satin-mute">
        {goingOn.kind === 'finished' ? `You have finished ${goingOn.title}.` : 'You have no classes coming up.'}
      </p>
      <p className="mt-4 font-display text-2xl font-bold">
        {figures.map((one) => one.replaceAll(' ', '\u00a0')).join(', ')}
      </p>
      {goingOn.kind === 'finished' && <Finished goingOn={goingOn} />}
    </>
  );
}

function New({ name }: { name: string | null }) {
  return (
    <>
      {name && <p className="font-bold wrap-anywhere text-straw">Hello, {name}</p>}
      <h1 className="mt-2 text-4xl text-balance lg:text-5xl">Your first course starts your bower</h1>
      <p className="mt-4 max-w-prose text-lg">
        Each hour you study adds a straw. Each course you finish leaves a treasure. What you buy or attend with your
        email address is listed here.
      </p>
      <Link to={href('/courses')} reloadDocument className={`${button.straw} mt-8`}>
        See all courses
      </Link>
    </>
  );
}

function Guided({ study: { title, asks, begins, module, act, page } }: { study: GuidedNext }) {
  return (
    <>
      <p className="font-bold text-straw">{begins ? `Your study begins ${begins}` : 'Next, whenever you like'}</p>
      <h1 className="mt-2 text-4xl text-balance wrap-anywhere lg:text-5xl">{module ?? title}</h1>
      {module && <p className="mt-3 text-lg text-balance lg:text-xl">{title}</p>}
      {asks && <p className="tabular mt-3 max-w-prose text-lg">{asks}</p>}
      <Link to={page} className={`${button.straw} mt-8`}>
        {act}
      </Link>
    </>
  );
}

function Finished({ goingOn: { title, number, quest } }: { goingOn: GoingOn & { kind: 'finished' } }) {
  return (
    <>
      {quest && (
        <>
          <h2 className="mt-8 font-sans text-base font-bold text-straw">{whyOf(quest, title)}</h2>
          <p className="mt-1 font-display text-2xl font-bold text-balance wrap-anywhere">{quest.course.title}</p>
          {quest.line && <p className="mt-1 max-w-prose">{quest.line.reason}</p>}
        </>
      )}
      <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
        {quest && (
          <Link to={href('/course/:courseId', { courseId: quest.course.slug })} reloadDocument className={button.straw}>
            See this quest
          </Link>
        )}
        <Link
          to={href('/account/certificates/:number', { number })}
          aria-label={`Show your certificate of ${title}`}
          className={quest ? button.onSatin : button.straw}
        >
          Show your certificate
        </Link>
        {quest?.line && (
          <Link
            to={href('/quest-lines/:questLineId', { questLineId: quest.line.slug })}
            reloadDocument
            className={quietLink}
          >
            The whole quest line
          </Link>
        )}
      </div>
    </>
  );
}

const whyOf = ({ line }: NextQuest, title: string): string =>
  line ? `Next in the quest line ${line.title}, step ${line.step} of ${line.steps}` : `What ${title} leads to`;
