import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { useBackToList } from '#app/features/catalogue/back-to-list.ts';
import { Badges } from '#app/features/catalogue/badges.tsx';
import type { CourseCard, Instructor } from '#app/features/catalogue/catalogue.ts';
import { CoursePaths } from '#app/features/catalogue/course-paths.tsx';
import { ExamFacts } from '#app/features/catalogue/exam-facts.tsx';
import type { ExamFact } from '#app/features/catalogue/exams.ts';
import type { CoursePathsOf } from '#app/features/catalogue/paths.ts';
import { Portrait } from '#app/features/catalogue/portrait.tsx';
import { Price } from '#app/features/catalogue/price.tsx';
import { xpPerHour } from '#app/features/catalogue/rules.ts';
import type { Moment } from '#app/features/catalogue/site/moments.ts';
import { QuestMoment } from '#app/features/catalogue/site/quest-moment.tsx';
import type { CourseDetails } from '#app/features/content/course-schema.ts';
import { initialsOf } from '#app/lib/initials.ts';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { Fact } from '#app/ui/fact.tsx';
import { Medal } from '#app/ui/medal.tsx';
import { More } from '#app/ui/more.tsx';
import { Sign } from '#app/ui/sign.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';

type Props = {
  card: CourseCard;
  details: CourseDetails;
  instructor: Instructor;
  exams: ExamFact[];
  /** Whether the exam guarantee applies, and that this is no nationally recognised training. */
  promises: { guarantee: string; completion: string; recognition: string };
  paths: CoursePathsOf;
  moment: Moment | null;
  /** The section of how it can be taken: course dates know the catalogue and not the other way round. */
  ways: ReactNode;
  /** The next date in short, for the price card. */
  next: ReactNode;
};

/** A course in full. One record serves card, page and invoice (P1, P4). */
export function CoursePage({ card, details, instructor, exams, promises, paths, moment, ways, next }: Props) {
  return (
    <article>
      <CourseHero card={card} />
      <div className="page grid gap-x-14 gap-y-5 pt-3 pb-7 lg:grid-cols-[minmax(0,1fr)_22rem] lg:py-12">
        <div className="relative grid content-start gap-8 max-lg:pb-18 sm:gap-12">
          <PriceBar card={card} />
          <JumpLinks />
          {ways}
          <Section id="outcomes" title="What you will be able to do">
            <Objectives objectives={details.objectives.slice(0, 4)} />
            {details.objectives.length > 4 && (
              <More label={`${details.objectives.length - 4} more`}>
                <Objectives objectives={details.objectives.slice(4)} />
              </More>
            )}
          </Section>
          <Section title="Overview">
            <FirstLines text={details.overview} label="Read the whole overview" className="max-w-prose sm:text-lg" />
          </Section>
          <Section id="curriculum" title="Curriculum">
            <p className="text-mute">
              {details.curriculum.length} modules, {card.hours} hours in all.
            </p>
            <ol className="mt-4 border-t border-line">
              {details.curriculum.map(({ module, topics }, at) => (
                <li key={module}>
                  <Fold title={<CurriculumTitle number={at + 1} module={module} />}>
                    <Points points={topics} />
                  </Fold>
                </li>
              ))}
            </ol>
          </Section>
          {moment && (
            <Section title="Try a moment of it">
              <p className="mb-4 max-w-prose text-mute">{moment.lead}</p>
              <QuestMoment moment={moment} />
            </Section>
          )}
          <Section id="instructor" title="Instructor">
            <InstructorCard instructor={instructor} />
          </Section>
          <Section id="certification" title="Certification">
            {exams.length > 0 && <ExamFacts exams={exams} guarantee={promises.guarantee} />}
            <p className="mt-4 max-w-prose text-mute">{promises.recognition}</p>
            <More label="How you earn the certificate">
              <p className="max-w-prose">{promises.completion}</p>
              <p className="mt-4 max-w-prose">{details.credential}</p>
            </More>
            <div className="no-print mt-3">
              <a
                href={href('/course/:courseId/certificate-sample.pdf', { courseId: card.slug })}
                className={button.quiet}
              >
                View Certificate Sample
              </a>
            </div>
          </Section>
          <Section title="Prerequisites">
            <Points points={details.prerequisites.slice(0, 1)} />
            {details.prerequisites.length > 1 && (
              <More label={`${details.prerequisites.length - 1} more`}>
                <Points points={details.prerequisites.slice(1)} />
              </More>
            )}
          </Section>
          <Section title="Before and after">
            <CoursePaths paths={paths} />
            <Link
              to={`${href('/compare')}?a=${card.slug}`}
              className="no-print inline-block py-2 font-bold text-link underline underline-offset-4"
            >
              Compare with another course
            </Link>
          </Section>
        </div>
        <aside aria-label="Price" className="no-print">
          <PriceCard card={card} exams={exams} next={next} />
        </aside>
      </div>
    </article>
  );
}

function Section({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section id={id}>
      <h2 className="text-[1.75rem] sm:text-3xl">{title}</h2>
      <div className="mt-3 sm:mt-4">{children}</div>
    </section>
  );
}

/** The parts of the page that one looks for, in a row below the head. */
function JumpLinks() {
  const links = [
    ['dates', 'Dates'],
    ['outcomes', 'Outcomes'],
    ['curriculum', 'Curriculum'],
    ['instructor', 'Instructor'],
    ['certification', 'Certification'],
  ] as const;
  return (
    <nav
      aria-label="On this page"
      className="no-print -mb-4 flex gap-x-5 overflow-x-auto border-b border-line whitespace-nowrap"
    >
      {links.map(([id, text]) => (
        <a key={id} href={`#${id}`} className="py-3 font-bold text-link underline-offset-4 hover:underline">
          {text}
        </a>
      ))}
    </nav>
  );
}

function Objectives({ objectives }: { objectives: readonly string[] }) {
  return (
    <ul className="grid gap-2.5">
      {objectives.map((objective) => (
        <li key={objective} className="flex max-w-prose gap-3">
          <Sign name="check" className="mt-1 size-5 shrink-0 text-link" />
          {objective}
        </li>
      ))}
    </ul>
  );
}

/** The first sentences of a text, as many as make about four lines; the others stay folded. */
function FirstLines({ text, label, className }: { text: string; label: string; className: string }) {
  const sentences = text.split(/(?<=[.!?]) (?=[A-Z0-9])/);
  let shown = 0;
  for (let length = 0; shown < sentences.length && length < 140; shown += 1) length += sentences[shown]?.length ?? 0;
  const rest = sentences.slice(shown).join(' ');
  return (
    <>
      <p className={className}>{sentences.slice(0, shown).join(' ')}</p>
      {rest && (
        <More label={label}>
          <p className={className.replace('mt-4', '')}>{rest}</p>
        </More>
      )}
    </>
  );
}

function Points({ points }: { points: readonly string[] }) {
  return (
    <ul className="grid list-disc gap-1.5 pl-5 marker:text-edge">
      {points.map((point) => (
        <li key={point} className="max-w-prose pl-1">
          {point}
        </li>
      ))}
    </ul>
  );
}

function CurriculumTitle({ number, module }: { number: number; module: string }) {
  return (
    <h3 className="text-lg">
      <span className="tabular text-link">{number}.</span> {module}
    </h3>
  );
}

function Fold({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <details className="group border-b border-line">
      <summary className="flex min-h-11 items-center justify-between gap-4 py-3">
        {title}
        <span aria-hidden="true" className="text-2xl leading-none text-link group-open:rotate-45">
          +
        </span>
      </summary>
      <div className="pb-5">{children}</div>
    </details>
  );
}

function InstructorCard({ instructor }: { instructor: Instructor }) {
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-3">
      <div className="relative size-20 sm:row-span-2 sm:size-24" aria-hidden="true">
        <Portrait slug={instructor.slug} className="size-full" />
        <span className="absolute -right-2 -bottom-2 rounded-full border-2 border-paper bg-action px-2 py-1 font-display text-sm leading-none font-bold text-white">
          {initialsOf(instructor.name)}
        </span>
      </div>
      <div>
        <p className="font-display text-[1.375rem] leading-snug font-bold">
          <Link
            to={href('/instructors/:instructorId', { instructorId: instructor.slug })}
            prefetch="intent"
            className="underline-offset-4 hover:underline"
          >
            {instructor.name}
          </Link>
        </p>
        <p className="font-bold text-link">Cybersecurity Expert</p>
        <p className="mt-1 text-mute">
          {instructor.expertise}
          <br />
          {instructor.experience}
        </p>
      </div>
      <p className="max-w-prose max-sm:col-span-2">{instructor.biography}</p>
    </div>
  );
}

/**
 * On narrow screens: price and Enroll Now at the bottom of the screen, from where the hero has left to the end of the
 * text, where the price card follows. Styles alone place it (`price-bar` in app.css).
 */
function PriceBar({ card }: { card: CourseCard }) {
  return (
    <div className="price-bar no-print lg:hidden">
      <div className="page flex items-center justify-between gap-4 border-t border-line bg-card py-2.5">
        <p className="tabular leading-tight">
          <b className="font-display text-xl">{formatMoney(card.priceCents)}</b>
          <span className="block text-sm text-mute">incl. GST</span>
        </p>
        <Link to={`${href('/enrol')}?course=${card.slug}`} className={`${button.primary} px-6`}>
          Enroll Now
        </Link>
      </div>
    </div>
  );
}

/** The price with what belongs to it: the next date, what the price does not include, and the brochure. */
function PriceCard({ card, exams, next }: Pick<Props, 'card' | 'exams' | 'next'>) {
  const bodies = [...new Set(exams.filter(({ standing }) => standing !== 'retired').map(({ body }) => body))];
  return (
    <div className="sticky top-6 rounded-card border border-line bg-card p-6">
      <Price card={card} />
      {next}
      <Link to={`${href('/enrol')}?course=${card.slug}`} className={`${button.primary} mt-5 w-full`}>
        Enroll Now
      </Link>
      <div className="mt-3 flex flex-wrap gap-3 *:grow *:px-3">
        <Link to={`${href('/quote')}?course=${card.slug}`} className={button.quiet}>
          Get a quote
        </Link>
        <Link to={`${href('/ask-employer')}?course=${card.slug}`} className={button.quiet}>
          Ask your employer
        </Link>
      </div>
      <dl className="mt-5 grid gap-2 border-t border-line pt-4 text-mute">
        {bodies.length > 0 && (
          <div>
            <dt className="inline">Exam fee:</dt>{' '}
            <dd className="inline">not included; you pay it to {bodies.join(' or ')}.</dd>
          </div>
        )}
        <div>
          <dt className="inline">In the price:</dt> <dd className="inline">certificate of completion, GST.</dd>
        </div>
      </dl>
      <p className="mt-2 flex flex-wrap gap-x-5 font-bold text-link underline underline-offset-4">
        <a href={href('/course/:courseId/brochure.pdf', { courseId: card.slug })} className="py-2">
          Brochure (PDF)
        </a>
        <Link to={`${href('/contact')}?about=course:${card.slug}`} className="py-2">
          Ask a question
        </Link>
      </p>
    </div>
  );
}

/** The head of a course's page: its facts, its price and the button to enrol. */
function CourseHero({ card }: { card: CourseCard }) {
  const backToList = useBackToList();
  return (
    <div className="on-satin bg-linear-to-br from-satin via-satin to-satin-light text-on-satin">
      <div className="page grid items-center gap-x-10 gap-y-8 pt-4 pb-8 lg:grid-cols-[1.15fr_0.85fr] lg:py-14">
        <div>
          <Link
            to={href('/')}
            onClick={backToList}
            className="no-print -ml-1 inline-flex items-center gap-1.5 rounded-lg px-1 py-2 font-medium text-on-satin-mute hover:text-on-satin"
          >
            <Sign name="back" className="size-4" />
            Back to Courses
          </Link>
          <div className="mt-4 flex flex-wrap items-center gap-3">
            <Link
              to={`${href('/courses')}?category=${card.category.slug}`}
              className="font-bold text-straw underline-offset-4 hover:underline"
            >
              {card.category.name}
            </Link>
            <span className="flex items-center gap-1.5 rounded-full border border-satin-line bg-satin-light py-1 pr-3 pl-2 text-sm font-bold">
              <Medal tier={card.tier} />
              {card.level}
            </span>
            <Badges card={card} />
          </div>
          <h1 className="mt-4 text-4xl sm:text-5xl lg:text-[3.5rem]">
            <Unbroken text={card.title} />
          </h1>
          <p className="mt-5 max-w-prose text-lg text-on-satin-mute">{card.description}</p>
          <dl className="mt-6 flex flex-wrap gap-x-4 gap-y-4 sm:gap-x-9">
            <Fact label="Duration">{card.hours} hours</Fact>
            <Fact
              label="Players"
              note="Learners who have taken this course: the academy’s own figure of 2025, see Figures and sources."
            >
              {card.learners === 0 ? 'None yet' : formatCount(card.learners)}
            </Fact>
            <Fact label="Rating">
              {card.rating === null ? (
                'None yet'
              ) : (
                <>
                  <span aria-hidden="true">★ </span>
                  {card.rating.toFixed(1)} / 5
                </>
              )}
            </Fact>
            <Fact
              label="XP to earn"
              note={`${card.hours} hours at ${xpPerHour[card.level]} XP an hour for ${card.level}, rounded to 50, from 1,000 to 5,999.`}
            >
              {formatCount(card.xp)}
            </Fact>
          </dl>
          <div className="mt-8 flex flex-wrap items-center gap-x-7 gap-y-4">
            <Price card={card} onSatin />
            <Link to={`${href('/enrol')}?course=${card.slug}`} className={`${button.straw} no-print px-7`}>
              Enroll Now
            </Link>
            <Link
              to={`${href('/quote')}?course=${card.slug}`}
              className="no-print inline-block py-1 font-bold underline underline-offset-4"
            >
              Get a quote
            </Link>
          </div>
        </div>
        <img
          src={href('/art/:kind/:file', { kind: 'course', file: `${card.slug}.svg` })}
          alt=""
          width={400}
          height={225}
          className="no-print aspect-[2.4] w-full rounded-card border border-satin-line object-cover lg:aspect-video"
        />
      </div>
    </div>
  );
}
