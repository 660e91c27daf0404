/** Answers about rooms and amenities. */
import type { RoomType } from "../../engine/core/supply.ts";
import { amenityIn } from "../languages/amenities.ts";
import { amenitiesFact, fact, roomAmenitiesFact, roomFact } from "./facts.ts";
import type { RoomKind, Topic } from "./lexicon.ts";
import { type Sentence, type Speech, sentence, unpublished } from "./sentences.ts";
import type { AskedAmenity } from "./understand.ts";

/** Words in a room type's code or name that show its kind. */
const KIND_WORDS: Readonly<Record<RoomKind, RegExp>> = {
  single: /\b(?:sgl|single|einzel|individual|simple|singola|solteiro)/i,
  double: /\b(?:dbl|double|doppel|doble|matrimonial|doppia|duplo|casal)/i,
  twin: /\b(?:twn|twin|zweibett)/i,
  superior: /\b(?:sup|superior)/i,
  family: /\b(?:fam|family|familien|familiar|familiale)/i,
  suite: /\b(?:ste|sui|suite)/i,
};

/** The room types of the given kinds; all when none matches or no kind is given. */
export function roomsOfKinds(
  rooms: readonly RoomType[],
  kinds: readonly RoomKind[],
): readonly RoomType[] {
  const found = rooms.filter((room) => kinds.some((kind) => isOfKind(room, kind)));
  return found.length > 0 ? found : rooms;
}

/** True for a room type whose code or name shows the kind. */
export function isOfKind({ code, name }: RoomType, kind: RoomKind): boolean {
  return KIND_WORDS[kind].test(code) || KIND_WORDS[kind].test(name);
}

type RoomAnswers = (speech: Speech, rooms: readonly RoomType[]) => readonly Sentence[];

function beds(speech: Speech, rooms: readonly RoomType[]): Sentence[] {
  const known = rooms.filter(({ bed_type }) => bed_type !== null);
  if (known.length === 0) return [unpublished(speech, "beds")];
  return known.map((room) =>
    sentence(
      speech.phrases.bed(room.name, room.bed_type!),
      roomFact(room, "bed_type", room.bed_type),
    ),
  );
}

function sizes(speech: Speech, rooms: readonly RoomType[]): Sentence[] {
  const known = rooms.filter(({ floor_size_sqm }) => floor_size_sqm !== null);
  if (known.length === 0) return [unpublished(speech, "size")];
  return known.map((room) => {
    const size = room.floor_size_sqm!;
    const text = speech.phrases.size(room.name, speech.formats.decimal(size));
    return sentence(text, roomFact(room, "floor_size_sqm", size));
  });
}

function occupancy({ phrases }: Speech, rooms: readonly RoomType[]): Sentence[] {
  return rooms.map((room) => {
    const { name, max_occupancy } = room;
    return sentence(
      phrases.sleeps(name, max_occupancy),
      roomFact(room, "max_occupancy", max_occupancy),
    );
  });
}

function names({ tree, phrases }: Speech): Sentence[] {
  const all = tree.room_types.map(({ name }) => name).join(", ");
  return [sentence(phrases.rooms(all), fact("room_types", all))];
}

function smoking({ phrases }: Speech, rooms: readonly RoomType[]): Sentence[] {
  const facts = rooms.map((room) => roomFact(room, "smoking_allowed", room.smoking_allowed));
  const allowed = rooms.filter(({ smoking_allowed }) => smoking_allowed).map(({ name }) => name);
  const text =
    allowed.length === 0 ? phrases.smokingNowhere : phrases.smokingIn(allowed.join(", "));
  return [{ text, facts }];
}

function allAmenities(speech: Speech): Sentence[] {
  const { tree, phrases, locale } = speech;
  const named = (codes: readonly string[]) =>
    codes.map((code) => amenityIn(code, locale)).join(", ");
  const everywhere = (tree.room_types[0]?.amenities ?? []).filter((code) =>
    tree.room_types.every(({ amenities }) => amenities.includes(code)),
  );
  const hotel =
    tree.amenities.length === 0
      ? unpublished(speech, "amenities")
      : sentence(phrases.amenities(named(tree.amenities)), amenitiesFact(tree));
  if (everywhere.length === 0) return [hotel];
  const facts = tree.room_types.map(roomAmenitiesFact);
  return [hotel, { text: phrases.roomAmenities(named(everywhere)), facts }];
}

/** Whether hotel or rooms list an amenity; an unlisted one may still exist. */
export function amenityAnswer(speech: Speech, { amenity, words }: AskedAmenity): Sentence {
  const { tree, phrases, locale } = speech;
  const has = (codes: readonly string[]) => codes.find((code) => amenity.codes.includes(code));
  const inHotel = has(tree.amenities);
  if (inHotel !== undefined) {
    return sentence(phrases.listed(amenityIn(inHotel, locale)), amenitiesFact(tree));
  }
  const rooms = tree.room_types.filter(({ amenities }) => has(amenities) !== undefined);
  const facts = tree.room_types.map(roomAmenitiesFact);
  if (rooms.length > 0) {
    const name = amenityIn(has(rooms[0]!.amenities)!, locale);
    const isEverywhere = rooms.length === tree.room_types.length;
    const where = rooms.map((room) => room.name).join(", ");
    const text = isEverywhere ? phrases.inAllRooms(name) : phrases.inRooms(name, where);
    return { text, facts };
  }
  const all = [amenitiesFact(tree), ...facts];
  return { text: phrases.unlisted(words), facts: all, isUnknown: true };
}

/** Topics answered from the room types. */
export const ROOM_ANSWERS: Readonly<Partial<Record<Topic, RoomAnswers>>> = {
  rooms: names,
  beds,
  size: sizes,
  occupancy,
  smoking,
  extra_bed: (speech) => [unpublished(speech, "extra_bed")],
  amenities: allAmenities,
};
