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
import type { CourseDetails } from '#app/features/content/course-schema.ts';
import { initialsOf } from '#app/lib/initials.ts';
import { formatCount, formatMoney } from '#app/lib/money.ts';
import { button } from '#app/ui/button.ts';
import { Fact } from '#app/ui/fact.tsx';
import { Medal } from '#app/ui/medal.tsx';
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
  /** The section of how it can be taken: course dates know the catalogue and not the other way round. */
  ways: ReactNode;
};

/** A course in full. One record serves card, page and, later, invoice (P1, P4). */
export function CoursePage({ card, details, instructor, exams, promises, paths, ways }: Props) {
  return (
    <article>
      <CourseHero card={card} />
      <div className="page grid gap-x-14 gap-y-12 py-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:py-16">
        <div className="relative grid content-start gap-12 max-lg:pb-20">
          <PriceBar card={card} />
          <Section title="Overview">
            <p className="max-w-prose text-lg">{details.overview}</p>
          </Section>
          {ways}
          <Section title="What you will be able to do">
            <ul className="grid gap-3">
              {details.objectives.map((objective) => (
                <li key={objective} className="flex max-w-prose gap-3">
                  <Sign name="check" className="mt-1 size-5 shrink-0 text-link" />
                  {objective}
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Curriculum">
            <p className="text-mute">
              {details.curriculum.length} modules, {card.hours} hours in all.
            </p>
            <ol className="mt-5 grid gap-4 xl:grid-cols-2">
              {details.curriculum.map(({ module, topics }, at) => (
                <li key={module} className="rounded-card border border-line bg-card p-5 sm:p-6">
                  <h3 className="text-xl">
                    <span className="tabular text-link">{at + 1}.</span> {module}
                  </h3>
                  <ul className="mt-3 grid list-disc gap-1.5 pl-5 marker:text-edge">
                    {topics.map((topic) => (
                      <li key={topic} className="max-w-prose pl-1">
                        {topic}
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ol>
          </Section>
          <Section title="Instructor">
            <InstructorCard instructor={instructor} />
          </Section>
          <Section title="Prerequisites">
            <ul className="grid list-disc gap-2 pl-5 marker:text-edge">
              {details.prerequisites.map((prerequisite) => (
                <li key={prerequisite} className="max-w-prose pl-1">
                  {prerequisite}
                </li>
              ))}
            </ul>
          </Section>
          <Section title="Certification">
            <p className="max-w-prose">{details.credential}</p>
            <p className="mt-4 max-w-prose">{promises.completion}</p>
            {exams.length > 0 && <ExamFacts exams={exams} guarantee={promises.guarantee} />}
            <p className="mt-4 max-w-prose">{promises.recognition}</p>
            <div className="no-print mt-5 flex flex-wrap items-center gap-x-6 gap-y-3">
              <a
                href={href('/course/:courseId/certificate-sample.pdf', { courseId: card.slug })}
                className={button.quiet}
              >
                View Certificate Sample
              </a>
              <a
                href={href('/course/:courseId/brochure.pdf', { courseId: card.slug })}
                className="py-2 font-bold text-link underline underline-offset-4"
              >
                Brochure (PDF)
              </a>
            </div>
          </Section>
          <Section title="Before and after">
            <CoursePaths paths={paths} />
          </Section>
        </div>
        <aside aria-label="Price" className="no-print">
          <PriceCard card={card} />
        </aside>
      </div>
    </article>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-3xl">{title}</h2>
      <div className="mt-5">{children}</div>
    </section>
  );
}

function InstructorCard({ instructor }: { instructor: Instructor }) {
  return (
    <div className="flex flex-col gap-5 sm:flex-row">
      <div className="relative size-24 shrink-0" aria-hidden="true">
        <Portrait slug={instructor.slug} className="size-24" />
        <span className="absolute -right-2 -bottom-2 rounded-full border-2 border-paper bg-action px-2 py-1 font-display text-sm leading-none font-bold text-white">
          {initialsOf(instructor.name)}
        </span>
      </div>
      <div>
        <p className="font-display text-xl font-bold">{instructor.name}</p>
        <p className="font-bold text-link">Cybersecurity Expert</p>
        <p className="mt-1 text-mute">
          {instructor.expertise} · {instructor.experience}
        </p>
        <p className="mt-3 max-w-prose">{instructor.biography}</p>
      </div>
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

function PriceCard({ card }: { card: CourseCard }) {
  return (
    <div className="sticky top-6 rounded-card border border-line bg-card p-6">
      <Price card={card} />
      <Link to={`${href('/enrol')}?course=${card.slug}`} className={`${button.primary} mt-5 w-full`}>
        Enroll Now
      </Link>
      <Link to={`${href('/contact')}?about=course:${card.slug}`} className={`${button.quiet} mt-3 w-full`}>
        Ask a question
      </Link>
      <ul className="mt-5 grid gap-2 border-t border-line pt-5 text-mute">
        <li>{card.hours} hours of training</li>
        <li>{card.level} level</li>
        <li>Certificate of completion</li>
      </ul>
    </div>
  );
}

/** The head of a course's page: its facts, its price and the button to enrol. */
function CourseHero({ card }: { card: CourseCard }) {
  const backToList = useBackToList();
  return (
    <div className="on-satin bg-linear-to-br from-satin via-satin to-satin-light text-on-satin">
      <div className="page grid items-center gap-10 py-10 lg:grid-cols-[1.15fr_0.85fr] lg:py-16">
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
          <dl className="mt-7 flex flex-wrap gap-x-9 gap-y-4">
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
          </div>
        </div>
        <img
          src={href('/art/:kind/:file', { kind: 'course', file: `${card.slug}.svg` })}
          alt=""
          width={400}
          height={225}
          className="no-print aspect-video w-full rounded-card border border-satin-line object-cover"
        />
      </div>
    </div>
  );
}
