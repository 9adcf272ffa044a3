import type { Catalogue } from '#app/features/catalogue/catalogue.ts';
import type { Combos } from '#app/features/catalogue/promotions/assemble.ts';
import type { Promotion } from '#app/features/catalogue/promotions/promotion.ts';
import type { BookingSettings, Site, Texts } from '#app/features/catalogue/site/site.ts';
import type { CourseDates } from '#app/features/course-dates/assemble.ts';

/** Each rises with every change to its part: courses, seats left, and everything else that public pages read. */
export type Versions = { courses: number; seats: number; catalogue: number };

/** The data of public pages, immutable and held in memory. */
export type Snapshot = Catalogue &
  CourseDates &
  Combos & {
    versions: Versions;
    /**
     * The instants of the last change of records other than courses: by `certification:SLUG`, `course-date:SLUG` and
     * `document:NAME`.
     */
    changes: ReadonlyMap<string, Date>;
    promotion: Promotion;
    texts: Texts;
    site: Site;
    bookings: BookingSettings;
    /** The stored text of /terms that is accepted now; null while there is no such page. */
    termsId: number | null;
  };
