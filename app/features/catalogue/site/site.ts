import type { Content } from '#app/features/content/schema.ts';
import type { Day } from '#app/lib/dates.ts';

/** The facts of the academy on every page. */
export type Site = {
  name: string;
  /** The company that trades under the name, such as `Bowerbird Academy Pty Ltd`. */
  legalName: string;
  /** As it is printed, `89 000 000 019`. */
  abn: string;
  email: string;
  phone: string;
  street: string;
  city: string;
  state: string;
  postcode: string;
  copyrightYear: number;
  social: { name: string; url: string }[];
};

/** The settings for bookable times (P20); lengths and pause in minutes. */
export type BookingSettings = Content['site']['bookings'] & {
  /** Public holidays of Queensland. */
  holidays: ReadonlySet<Day>;
};

/** Written values from content/, as opposed to counted ones. */
export type Texts = Pick<Content, 'heroSlides' | 'partners' | 'claims' | 'pages' | 'faq' | 'resources'> & {
  /** How people join a course date and what to bring; null where the settings have none. */
  attending: NonNullable<Content['site']['attending']> | null;
};
