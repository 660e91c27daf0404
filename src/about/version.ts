/** Names and versions that discovery tells (rules §2). */
import manifest from "../../package.json" with { type: "json" };

export const SERVICE_NAME = "innkeep";
export const PRODUCT_VERSION: string = manifest.version;
export const PROTOCOL_VERSION = "1.0";
