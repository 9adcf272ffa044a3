/** The field in which the form of a further attendee has how a course is taken. */
export const joinField = (courseId: number): string => `way-${courseId}`;
