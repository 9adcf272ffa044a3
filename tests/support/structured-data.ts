/** What schema.org's and Google's documentation require of the types this site uses, and what the site adds for itself. */
const required: Record<string, readonly string[]> = {
  Organization: ['@id', 'name', 'url'],
  WebSite: ['name', 'url', 'potentialAction'],
  SearchAction: ['target', 'query-input'],
  EntryPoint: ['urlTemplate'],
  BreadcrumbList: ['itemListElement'],
  ItemList: ['itemListElement'],
  ListItem: ['position'],
  Course: ['name', 'description', 'url', 'provider', 'offers', 'syllabusSections', 'timeRequired', 'image'],
  CourseInstance: ['courseMode', 'courseWorkload', 'location', 'offers'],
  Schedule: ['repeatFrequency', 'repeatCount', 'startDate', 'endDate', 'startTime', 'endTime', 'scheduleTimezone'],
  Syllabus: ['name', 'description'],
  Offer: ['category', 'price', 'priceCurrency', 'priceSpecification', 'url'],
  PriceSpecification: ['price', 'priceCurrency', 'valueAddedTaxIncluded'],
  EducationEvent: ['name', 'startDate', 'endDate', 'location', 'eventStatus', 'eventAttendanceMode', 'offers', 'image'],
  Place: ['name', 'address'],
  VirtualLocation: ['url'],
  PostalAddress: ['addressLocality', 'addressRegion', 'addressCountry'],
  Person: ['name'],
};

const ofDates = ['courseSchedule', 'instructor', 'startDate', 'endDate'];

const text = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/g;

/** The things a page describes; throws when it has more than one document of them, or one that is no JSON. */
export function thingsOf(html: string): Record<string, unknown>[] {
  const documents = [...html.matchAll(text)].map(([, json = '']) => JSON.parse(json));
  if (documents.length > 1) throw new Error(`${documents.length} documents of structured data`);
  return documents[0]?.['@graph'] ?? [];
}

/** The faults of a thing and of all things within it. */
export function faultsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => faultsOf(item, `${path}[${at}]`));
  if (value === '' || value === null || (typeof value === 'number' && !Number.isFinite(value)))
    return [`${path} is empty`];
  if (typeof value !== 'object') return [];
  const thing = new Map(Object.entries(value ?? {}));
  const type = thing.get('@type');
  const within = [...thing].flatMap(([name, part]) => faultsOf(part, `${path}.${name}`));
  if (type === undefined) return [...thing.keys()].join() === '@id' ? within : [...within, `${path} has no type`];
  // An instance is on dates, with all that belongs to them, or says what it is instead.
  const dated = type === 'CourseInstance' && !thing.has('name');
  const names = dated ? [...(required.CourseInstance ?? []), ...ofDates] : required[String(type)];
  if (!names) return [...within, `${path} is of the unknown type ${type}`];
  const missing = names.filter((name) => !thing.has(name)).map((name) => `${path} (${type}) has no ${name}`);
  const reviews = ['aggregateRating', 'review', 'reviews'].filter((name) => thing.has(name));
  return [...within, ...missing, ...reviews.map((name) => `${path} has ${name}, the academy's own`)];
}

/** Every address within a thing. */
export function urlsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(urlsOf);
  if (typeof value === 'string') return /^https?:\/\/(?!schema\.org)/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsOf) : [];
}
