import { useEffect, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import type { WatchableDemo } from '#app/features/catalogue/site/demonstrations.ts';
import { HeroBower } from '#app/features/catalogue/site/hero-bower.tsx';
import { WatchDemo } from '#app/features/catalogue/site/watch-demo.tsx';
import { initialsOf } from '#app/lib/initials.ts';
import { button } from '#app/ui/button.ts';
import { Sign } from '#app/ui/sign.tsx';

export type HeroSlide = {
  courseSlug: string;
  title: string;
  subtitle: string;
  description: string;
  buttonText: string;
  icon: string;
  emoji: string;
  instructor: string;
  experience: string;
  badge: string;
  demonstration: WatchableDemo;
};

const slideMs = 5000;

/**
 * Three programmes, one after the other every five seconds, round and round. Pause comes first in tab order; it
 * rests under the pointer and the focus, and never moves by itself under reduced motion (P34). Without scripts the
 * slides lie side by side to be scrolled, and the dots jump to them.
 */
export function HeroCarousel({ slides }: { slides: HeroSlide[] }) {
  const track = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [scripted, setScripted] = useState(false);
  const still = useRef(false);

  useEffect(() => {
    setScripted(true);
    still.current = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still.current) setPaused(true);
  }, []);

  useEffect(() => {
    if (!scripted || paused || hovered || focused) return;
    const timer = setTimeout(() => show((current + 1) % slides.length), slideMs);
    return () => clearTimeout(timer);
  });

  function show(at: number) {
    setCurrent(at);
    const { current: box } = track;
    box?.scrollTo({ left: at * box.clientWidth, behavior: still.current ? 'instant' : 'smooth' });
  }

  return (
    <section
      aria-roledescription="carousel"
      aria-label="Featured courses"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      className="on-satin relative overflow-hidden bg-[radial-gradient(75rem_44rem_at_78%_40%,#2a2170_0,#171140_46%,#100b2b_100%)] text-on-satin"
    >
      <button
        type="button"
        onClick={() => setPaused(!paused)}
        className="needs-scripts absolute right-4 bottom-4 z-10 flex size-11 items-center justify-center rounded-full border border-on-satin-mute/60 bg-satin/70 hover:border-on-satin lg:right-10"
        aria-label={paused ? 'Play the slides' : 'Pause the slides'}
      >
        {paused ? <Sign name="play" className="size-4" /> : <Sign name="pause" className="size-4" />}
      </button>
      <div
        ref={track}
        onScroll={(event) => {
          const { scrollLeft, clientWidth } = event.currentTarget;
          const nearest = Math.round(scrollLeft / clientWidth);
          if (Math.abs(scrollLeft - nearest * clientWidth) < 2 && nearest !== current) setCurrent(nearest);
        }}
        className="relative flex snap-x snap-mandatory overflow-x-auto [scrollbar-width:none]"
      >
        {slides.map((slide, at) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide of a carousel is a group by the ARIA pattern
          <div
            key={slide.courseSlug}
            id={`slide-${at + 1}`}
            role="group"
            aria-roledescription="slide"
            aria-label={`${at + 1} of ${slides.length}`}
            inert={scripted && at !== current}
            className="w-full shrink-0 snap-start"
          >
            <Slide slide={slide} />
          </div>
        ))}
      </div>
      <div className="page absolute inset-x-0 bottom-4">
        <ul className="flex gap-1">
          {slides.map(({ courseSlug, title }, at) => (
            <li key={courseSlug}>
              <a
                href={`#slide-${at + 1}`}
                onClick={(event) => {
                  event.preventDefault();
                  show(at);
                }}
                aria-label={`Show ${title}`}
                aria-current={at === current ? 'true' : undefined}
                className="group flex h-11 min-w-8 items-center justify-center"
              >
                <span className="block h-2.5 w-2.5 rounded-full bg-on-satin-mute/60 transition-[width] group-hover:bg-on-satin group-aria-[current]:w-8 group-aria-[current]:bg-straw" />
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Slide({ slide }: { slide: HeroSlide }) {
  const target =
    slide.buttonText === 'Enroll Now'
      ? `${href('/enrol')}?course=${slide.courseSlug}`
      : href('/course/:courseId', { courseId: slide.courseSlug });
  return (
    <div className="page grid items-center gap-x-8 pt-8 pb-17 sm:pt-10 sm:pb-20 lg:min-h-[39rem] lg:grid-cols-[1.08fr_0.92fr] lg:py-12">
      <div className="lg:pb-8">
        <p className="font-bold text-straw">{slide.badge}</p>
        <h2 className="mt-3 text-[2.6rem] leading-[1.03] max-[18rem]:text-4xl sm:text-6xl lg:text-[4.1rem]">
          {unbroken(slide.title)}
        </h2>
        <p className="mt-4 font-display text-xl font-semibold text-sky sm:text-2xl">{slide.subtitle}</p>
        <p className="mt-4 max-w-[34em] text-lg text-on-satin-mute">{slide.description}</p>
        <div className="mt-7 flex flex-wrap gap-3">
          <Link to={target} prefetch="intent" className={button.straw}>
            {slide.buttonText}
          </Link>
          <WatchDemo demonstration={slide.demonstration} className={button.onSatin} />
        </div>
        <div className="mt-7 flex items-center gap-3.5 max-sm:pr-40 max-[18rem]:pr-0">
          <span
            aria-hidden="true"
            className="flex size-11 shrink-0 items-center justify-center rounded-control max-sm:hidden bg-linear-to-br from-sky to-[#7a4dff] font-display font-bold text-satin"
          >
            {initialsOf(slide.instructor)}
          </span>
          <p className="leading-snug">
            <b>{slide.instructor}</b>
            <span className="block text-on-satin-mute max-sm:text-sm">{slide.experience}</span>
          </p>
        </div>
      </div>
      {/* On a phone beside the instructor. */}
      <div className="relative mx-auto w-full max-w-[40rem] max-sm:-mt-19 max-sm:mr-0 max-sm:w-40 max-[18rem]:hidden">
        <HeroBower icon={slide.icon} label={`${slide.emoji} ${slide.title}`} builds />
      </div>
    </div>
  );
}

/** A hyphenated word keeps to one line. */
function unbroken(title: string) {
  return title.split(' ').map((word, at) => (
    <span key={word}>
      {at > 0 && ' '}
      {word.includes('-') ? <span className="whitespace-nowrap">{word}</span> : word}
    </span>
  ));
}
