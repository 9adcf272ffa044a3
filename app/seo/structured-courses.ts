/** Structured data about courses and training sessions; the general part is in `structured-data.ts`. */
import type { Course, CourseInstance, EducationEvent, Offer, Place, VirtualLocation } from 'schema-dts';
import type { Delivery } from '#app/lib/delivery.ts';
import { type Cents, dollarsFromCents } from '#app/lib/money.ts';
import { academy } from './structured-data.ts';

/** A training session; its times are wall-clock with offset, `2025-09-15T09:00:00+10:00`. */
export type SessionFacts = {
  path: string;
  /** Where to enrol or join the list; the session's own page when neither can be. */
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
  sessions: SessionFacts[];
  /** Whether it can be taken online in one's own time, from any Monday. */
  guided: boolean;
};

/**
 * A course has an instance for each date that is set, and one without dates where it can be taken guided, from any
 * Monday (P38). One with neither has none, and no date is made up.
 */
export function course(baseUrl: string, facts: CourseFacts, image: string): Course {
  const { path, title, description, hours, sessions, guided } = facts;
  const instances = [
    ...sessions.map((session) => instance(baseUrl, session, facts)),
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

function instance(baseUrl: string, session: SessionFacts, { hours, priceCents }: CourseFacts): CourseInstance {
  return {
    '@type': 'CourseInstance',
    url: baseUrl + session.path,
    courseMode: { online: ['Online'], 'in-person': ['Onsite'], both: ['Online', 'Onsite'] }[session.delivery],
    courseWorkload: duration(hours),
    startDate: session.startsAt,
    endDate: session.endsAt,
    courseSchedule: {
      '@type': 'Schedule',
      repeatFrequency: 'Daily',
      repeatCount: session.days,
      startDate: session.startsAt.slice(0, 10),
      endDate: session.endsAt.slice(0, 10),
      startTime: session.startTime,
      endTime: session.endTime,
      scheduleTimezone: session.zone,
    },
    location: locations(baseUrl, session),
    instructor: { '@type': 'Person', name: session.instructor },
    offers: sessionOffer(baseUrl, session, priceCents),
  };
}

/** A training session as an event, at its place or online or both. `venue` is where the academy's own rooms are. */
export function sessionEvent(
  baseUrl: string,
  session: SessionFacts,
  about: { title: string; description: string; priceCents: Cents; image: string },
): EducationEvent {
  const attendance = { online: 'Online', 'in-person': 'Offline', both: 'Mixed' } as const;
  return {
    '@type': 'EducationEvent',
    '@id': baseUrl + session.path,
    url: baseUrl + session.path,
    name: about.title,
    description: about.description,
    image: baseUrl + about.image,
    startDate: session.startsAt,
    endDate: session.endsAt,
    eventStatus: `https://schema.org/${session.standing === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${attendance[session.delivery]}EventAttendanceMode`,
    location: locations(baseUrl, session),
    organizer: academy(baseUrl),
    performer: { '@type': 'Person', name: session.instructor },
    remainingAttendeeCapacity: session.standing === 'open' ? session.seatsAvailable : 0,
    offers: sessionOffer(baseUrl, session, about.priceCents),
  };
}

const states: Record<string, string> = { Brisbane: 'Queensland', Sydney: 'New South Wales', Melbourne: 'Victoria' };

/** The room by its city, as the page has it: the street comes with the confirmation. */
function locations(baseUrl: string, { delivery, venue, path }: SessionFacts): (Place | VirtualLocation)[] {
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

function sessionOffer(baseUrl: string, session: SessionFacts, priceCents: Cents): Offer {
  const left = session.standing === 'open' ? 'InStock' : 'SoldOut';
  return {
    ...offer(priceCents, baseUrl + session.enrolPath),
    availability: `https://schema.org/${left}`,
    ...(session.onSaleSince !== null && { validFrom: session.onSaleSince }),
    validThrough: `${session.enrolmentEnds}T23:59:59+10:00`,
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
