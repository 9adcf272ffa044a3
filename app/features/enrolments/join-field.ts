/** The field in which the form of a further attendee has how a course is taken. */
export const joinField = (courseId: number): string => `way-${courseId}`;

/** The field in which it has what the page showed of a way. */
export const shownField = (way: string): string => `shown-${way}`;

/** Whether a field is one of these. */
export const isOfWay = (name: string): boolean => /^(way|shown)-/.test(name);
