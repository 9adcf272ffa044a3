/** Structured data about courses and course dates; the general part is in `structured-data.ts`. */
import type { Course, CourseInstance, EducationEvent, Offer, Place, VirtualLocation } from 'schema-dts';
import type { Delivery } from '#app/lib/delivery.ts';
import { type Cents, dollarsFromCents } from '#app/lib/money.ts';
import { academy } from './structured-data.ts';

/** A course date; its times are wall-clock with offset, `2025-09-15T09:00:00+10:00`. */
export type CourseDateFacts = {
  path: string;
  /** The page to enrol or join the list; the course date's own page when neither is possible. */
  enrolPath: string;
  startsAt: string;
  endsAt: string;
  days: number;
  startTime: string;
  endTime: string;
  zone: string;
  delivery: Delivery;
  /** The city of the room, null when it is online only. */
  venue: string | null;
  instructor: string;
  seatsAvailable: number;
  standing: 'open' | 'full' | 'closed' | 'running' | 'done' | 'cancelled';
  /** Since when it can be booked, an instant; null when nobody recorded it. */
  onSaleSince: string | null;
  /** The last day of enrolment, in Brisbane. */
  enrolmentEnds: string;
};

export type CourseFacts = {
  path: string;
  title: string;
  description: string;
  category: { name: string };
  level: string;
  priceCents: Cents;
  hours: number;
  prerequisites: string[];
  curriculum: { module: string; topics: string[] }[];
  courseDates: CourseDateFacts[];
  /** Whether it can be taken online in one's own time, from any Monday. */
  guided: boolean;
};

/**
 * A course has an instance for each date that is set, and one without dates where it can be taken guided, from any
 * Monday (P38). One with neither has none, and no date is made up.
 */
export function course(baseUrl: string, facts: CourseFacts, image: string): Course {
  const { path, title, description, hours, courseDates, guided } = facts;
  const instances = [
    ...courseDates.map((courseDate) => instance(baseUrl, courseDate, facts)),
    ...(guided ? [guidedInstance(baseUrl, facts)] : []),
  ];
  return {
    '@type': 'Course',
    '@id': baseUrl + path,
    url: baseUrl + path,
    name: title,
    description,
    image: baseUrl + image,
    inLanguage: 'en-AU',
    provider: academy(baseUrl),
    about: facts.category.name,
    educationalLevel: facts.level,
    timeRequired: duration(hours),
    coursePrerequisites: facts.prerequisites,
    offers: offer(facts.priceCents, baseUrl + path),
    syllabusSections: facts.curriculum.map(({ module, topics }) => ({
      '@type': 'Syllabus',
      name: module,
      description: topics.join('; '),
    })),
    ...(instances.length > 0 && { hasCourseInstance: instances }),
  };
}

function guidedInstance(baseUrl: string, { path, hours, priceCents }: CourseFacts): CourseInstance {
  return {
    '@type': 'CourseInstance',
    name: 'Guided study',
    description: 'Online, in your own time, with marked exercises; it begins on any Monday.',
    url: baseUrl + path,
    courseMode: ['Online'],
    courseWorkload: duration(hours),
    location: { '@type': 'VirtualLocation', url: baseUrl + path },
    offers: offer(priceCents, baseUrl + path),
  };
}

function instance(baseUrl: string, courseDate: CourseDateFacts, { hours, priceCents }: CourseFacts): CourseInstance {
  return {
    '@type': 'CourseInstance',
    url: baseUrl + courseDate.path,
    courseMode: { online: ['Online'], 'in-person': ['Onsite'], both: ['Online', 'Onsite'] }[courseDate.delivery],
    courseWorkload: duration(hours),
    startDate: courseDate.startsAt,
    endDate: courseDate.endsAt,
    courseSchedule: {
      '@type': 'Schedule',
      repeatFrequency: 'Daily',
      repeatCount: courseDate.days,
      startDate: courseDate.startsAt.slice(0, 10),
      endDate: courseDate.endsAt.slice(0, 10),
      startTime: courseDate.startTime,
      endTime: courseDate.endTime,
      scheduleTimezone: courseDate.zone,
    },
    location: locations(baseUrl, courseDate),
    instructor: { '@type': 'Person', name: courseDate.instructor },
    offers: courseDateOffer(baseUrl, courseDate, priceCents),
  };
}

/** A course date as an event, at its place or online or both. `venue` is where the academy's own rooms are. */
export function courseDateEvent(
  baseUrl: string,
  courseDate: CourseDateFacts,
  about: { title: string; description: string; priceCents: Cents; image: string },
): EducationEvent {
  const attendance = { online: 'Online', 'in-person': 'Offline', both: 'Mixed' } as const;
  return {
    '@type': 'EducationEvent',
    '@id': baseUrl + courseDate.path,
    url: baseUrl + courseDate.path,
    name: about.title,
    description: about.description,
    image: baseUrl + about.image,
    startDate: courseDate.startsAt,
    endDate: courseDate.endsAt,
    eventStatus: `https://schema.org/${courseDate.standing === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${attendance[courseDate.delivery]}EventAttendanceMode`,
    location: locations(baseUrl, courseDate),
    organizer: academy(baseUrl),
    performer: { '@type': 'Person', name: courseDate.instructor },
    remainingAttendeeCapacity: courseDate.standing === 'open' ? courseDate.seatsAvailable : 0,
    offers: courseDateOffer(baseUrl, courseDate, about.priceCents),
  };
}

const states: Record<string, string> = { Brisbane: 'Queensland', Sydney: 'New South Wales', Melbourne: 'Victoria' };

/** The room by its city, as the page has it: the street comes with the confirmation. */
function locations(baseUrl: string, { delivery, venue, path }: CourseDateFacts): (Place | VirtualLocation)[] {
  const online: VirtualLocation = { '@type': 'VirtualLocation', url: baseUrl + path };
  if (venue === null) return [online];
  const region = states[venue];
  const room: Place = {
    '@type': 'Place',
    name: `Bowerbird Academy, ${venue}`,
    address: {
      '@type': 'PostalAddress',
      addressLocality: venue,
      ...(region && { addressRegion: region }),
      addressCountry: 'AU',
    },
  };
  return delivery === 'both' ? [room, online] : [room];
}

function courseDateOffer(baseUrl: string, courseDate: CourseDateFacts, priceCents: Cents): Offer {
  const left = courseDate.standing === 'open' ? 'InStock' : 'SoldOut';
  return {
    ...offer(priceCents, baseUrl + courseDate.enrolPath),
    availability: `https://schema.org/${left}`,
    ...(courseDate.onSaleSince !== null && { validFrom: courseDate.onSaleSince }),
    validThrough: `${courseDate.enrolmentEnds}T23:59:59+10:00`,
  };
}

/** A price in Australian dollars that includes GST (P1). */
function offer(priceCents: Cents, url: string) {
  const price = { price: dollarsFromCents(priceCents).toFixed(2), priceCurrency: 'AUD' };
  return {
    '@type': 'Offer',
    category: 'Paid',
    url,
    ...price,
    priceSpecification: { '@type': 'PriceSpecification', ...price, valueAddedTaxIncluded: true },
  } as const;
}

/** Hours as ISO 8601 has them. */
const duration = (hours: number) => `PT${hours}H`;
