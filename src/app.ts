/**
 * The HTTP application: the table of routes, and Elysia as the router. The pipeline reads and
 * checks bodies, because the contract fixes order, strictness and error shape.
 */
import { Elysia } from "elysia";
import { advisorRoutes } from "./api/advisor/routes.ts";
import { consoleLinkRoutes } from "./api/agents/console-link-route.ts";
import { credentialRoutes } from "./api/agents/credential-routes.ts";
import { agentRoutes } from "./api/agents/routes.ts";
import { aiConfigRoutes } from "./api/ai-config/routes.ts";
import { ariImportRoutes } from "./api/ari/import-route.ts";
import { otaRoutes } from "./api/ari/ota-route.ts";
import { ariReadRoutes, ariRoutes } from "./api/ari/routes.ts";
import { auditRoutes } from "./api/audit/routes.ts";
import { authorizationAdminRoutes } from "./api/authorizations/admin-routes.ts";
import { authorizationPolicyRoutes } from "./api/authorizations/policy-routes.ts";
import { authorizationRoutes } from "./api/authorizations/routes.ts";
import { availabilityRoutes } from "./api/availability/routes.ts";
import { modifyRoutes } from "./api/bookings/modify-routes.ts";
import { bookingReadRoutes } from "./api/bookings/read-routes.ts";
import { resendRoutes } from "./api/bookings/resend.ts";
import { bookingRoutes } from "./api/bookings/routes.ts";
import { checkoutApiRoutes } from "./api/checkout/routes.ts";
import { deliveryReadRoutes } from "./api/deliveries/read-routes.ts";
import { deliveryRoutes } from "./api/deliveries/routes.ts";
import { deskBookingRoutes } from "./api/desk/booking-routes.ts";
import { eraseRoutes } from "./api/desk/erase-routes.ts";
import { guestSearchRoutes } from "./api/desk/guest-search.ts";
import { moneyRoutes } from "./api/desk/money-routes.ts";
import { noteRoutes } from "./api/desk/note-routes.ts";
import { refundRoutes } from "./api/desk/refund-routes.ts";
import { stayRoutes } from "./api/desk/stay-routes.ts";
import { todayRoutes } from "./api/desk/today-route.ts";
import { walkInRoutes } from "./api/desk/walk-in-routes.ts";
import { eventRoutes } from "./api/events/routes.ts";
import { feedAdminRoutes } from "./api/feeds/admin-routes.ts";
import { feedQueryRoutes } from "./api/feeds/query-routes.ts";
import { feedRoutes } from "./api/feeds/routes.ts";
import { fxRoutes } from "./api/fx/routes.ts";
import { guestRoutes } from "./api/guest/routes.ts";
import { guestSessionRoutes } from "./api/guest/session-routes.ts";
import { healthRoutes } from "./api/health/routes.ts";
import { holdListRoutes } from "./api/holds/list-route.ts";
import { holdRoutes } from "./api/holds/routes.ts";
import { incidentRoutes } from "./api/incidents/routes.ts";
import { issuerRoutes } from "./api/issuers/routes.ts";
import { kpiRoutes } from "./api/kpis/routes.ts";
import { offerRoutes } from "./api/offers/routes.ts";
import { paymentProviderRoutes } from "./api/payment-provider/routes.ts";
import { peopleRoutes } from "./api/people/routes.ts";
import { placeRoutes } from "./api/places/routes.ts";
import { adminPropertyRoutes } from "./api/properties/admin-routes.ts";
import { propertyEditRoutes } from "./api/properties/edit-routes.ts";
import { importRoutes } from "./api/properties/import-route.ts";
import { promoteManyRoutes } from "./api/properties/promote-many-route.ts";
import { propertyRoutes } from "./api/properties/routes.ts";
import { quoteReadRoutes } from "./api/quotes/read-route.ts";
import { quoteRoutes } from "./api/quotes/routes.ts";
import { receiptRoutes } from "./api/receipts/routes.ts";
import { searchRoutes } from "./api/search/routes.ts";
import { testClockRoutes } from "./api/test-clock/routes.ts";
import { webhookRoutes } from "./api/webhooks/routes.ts";
import { checkoutPageRoutes } from "./checkout/routes.tsx";
import { consoleRoutes } from "./console/routes.ts";
import { clientAddress } from "./http/client-address.ts";
import type { Context, Parts } from "./http/context.ts";
import { respond } from "./http/pipeline.ts";
import type { Route } from "./http/route.ts";
import { pathsOf, RouteTable } from "./http/route-table.ts";
import { respondUnrouted, respondUnsound } from "./http/unrouted.ts";
import { portalRoutes } from "./portal/routes.tsx";
import { a2aRoutes } from "./protocols/a2a/routes.ts";
import { mcpRoutes } from "./protocols/mcp/routes.ts";
import { oauthMetadataRoutes } from "./protocols/oauth/metadata-routes.ts";
import { oauthRoutes } from "./protocols/oauth/routes.ts";
import { reserveRoutes } from "./publish/book/reserve-route.tsx";
import { bookRoutes } from "./publish/book/routes.ts";
import { discoveryRoutes } from "./publish/discovery/routes.ts";
import { docsRoutes } from "./publish/docs/routes.ts";
import { visitorRoutes } from "./publish/home/visitors.ts";
import { openApiRoutes } from "./publish/openapi/routes.ts";

/** All routes of the service, in the order in which the documents show them. */
export const ROUTES: RouteTable<Route> = new RouteTable([
  ...discoveryRoutes,
  ...healthRoutes,
  ...oauthRoutes,
  ...oauthMetadataRoutes,
  ...propertyRoutes,
  ...searchRoutes,
  ...offerRoutes,
  ...placeRoutes,
  ...advisorRoutes,
  ...quoteRoutes,
  ...quoteReadRoutes,
  ...holdRoutes,
  ...holdListRoutes,
  ...checkoutApiRoutes,
  ...bookingRoutes,
  ...bookingReadRoutes,
  ...authorizationRoutes,
  ...guestSessionRoutes,
  ...guestRoutes,
  ...resendRoutes,
  ...todayRoutes,
  ...deskBookingRoutes,
  ...guestSearchRoutes,
  ...walkInRoutes,
  ...noteRoutes,
  ...stayRoutes,
  ...moneyRoutes,
  ...modifyRoutes,
  ...refundRoutes,
  ...paymentProviderRoutes,
  ...authorizationAdminRoutes,
  ...incidentRoutes,
  ...eraseRoutes,
  ...authorizationPolicyRoutes,
  ...testClockRoutes,
  ...kpiRoutes,
  ...receiptRoutes,
  ...auditRoutes,
  ...eventRoutes,
  ...importRoutes,
  ...promoteManyRoutes,
  ...adminPropertyRoutes,
  ...ariImportRoutes,
  ...otaRoutes,
  ...propertyEditRoutes,
  ...ariReadRoutes,
  ...ariRoutes,
  ...availabilityRoutes,
  ...fxRoutes,
  ...aiConfigRoutes,
  ...agentRoutes,
  ...credentialRoutes,
  ...consoleLinkRoutes,
  ...peopleRoutes,
  ...issuerRoutes,
  ...webhookRoutes,
  ...deliveryReadRoutes,
  ...deliveryRoutes,
  ...feedRoutes,
  ...feedQueryRoutes,
  ...feedAdminRoutes,
  ...openApiRoutes,
  ...docsRoutes,
  ...bookRoutes,
  ...reserveRoutes,
  ...visitorRoutes,
  ...consoleRoutes,
  ...checkoutPageRoutes,
  ...portalRoutes,
  ...mcpRoutes,
  ...a2aRoutes,
]);

/** Larger than the limit of any route, which refuses with the envelope. */
const REQUEST_BYTES_MAX = 257 * 1024 * 1024;

/** What requests are answered with, and work of this process that calls routes. */
export function contextOf(parts: Parts): Context {
  const context: Context = {
    ...parts,
    routes: ROUTES,
    timeIn: (realm) => parts.engineNow() + (realm ? parts.replica.state.clockOffsetMs(realm) : 0),
    dispatch: (id, request, params, origin) =>
      respond(ROUTES.byId(id), request, params, context, origin),
  };
  return context;
}

/** Builds the application; the caller listens. */
export function createApp(context: Context) {
  const app = new Elysia({
    normalize: false,
    nativeStaticResponse: false,
    // A key's scope is the concrete path, so a route must not have two.
    strictPath: true,
    serve: { maxRequestBodySize: REQUEST_BYTES_MAX, idleTimeout: 60 },
  });
  app.onRequest(({ request }) => respondUnsound(request, context));
  const addressOf = (request: Request, server: typeof app.server) => {
    const connection = server?.requestIP(request)?.address ?? "";
    const forwarded = request.headers.get("x-forwarded-for");
    return clientAddress(connection, forwarded, context.config.trustedProxies);
  };
  for (const route of ROUTES.all) {
    for (const path of pathsOf(route)) {
      app.route(
        route.method,
        path,
        ({ request, params, server }) => {
          const origin = { clientAddress: () => addressOf(request, server) };
          return respond(route, request, params, context, origin);
        },
        { parse: "none" },
      );
    }
  }
  app.onError({ as: "global" }, ({ request }) => respondUnrouted(request, context));
  return app;
}
