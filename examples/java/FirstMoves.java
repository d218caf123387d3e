import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import dev.arbiter.v1.ApplyMoveRequest;
import dev.arbiter.v1.ApplyMoveResponse;
import dev.arbiter.v1.ArbiterServiceGrpc;
import dev.arbiter.v1.ArbiterServiceGrpc.ArbiterServiceBlockingStub;
import dev.arbiter.v1.Illegality;
import dev.arbiter.v1.ListVariantsRequest;
import dev.arbiter.v1.Move;
import dev.arbiter.v1.Position;
import dev.arbiter.v1.Variant;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Lists the variants, plays some moves of Three Universes Chess, asks why a move is illegal and reads an error. */
public final class FirstMoves {
    /**
     * No call has side effects, so any call can be repeated, here when the server is starting, stopping or out of reach.
     * Numbers must be doubles, as in JSON.
     */
    private static final Map<String, ?> SERVICE_CONFIG =
            Map.of(
                    "methodConfig",
                    List.of(
                            Map.of(
                                    "name",
                                    List.of(Map.of("service", ArbiterServiceGrpc.SERVICE_NAME)),
                                    "retryPolicy",
                                    Map.of(
                                            "maxAttempts", 4.0,
                                            "initialBackoff", "0.1s",
                                            "maxBackoff", "1s",
                                            "backoffMultiplier", 2.0,
                                            "retryableStatusCodes", List.of("UNAVAILABLE")))));

    /** In the last of them a bishop goes through the kings of Green and Red to the other universe, and captures there. */
    private static final List<String> MOVES =
            List.of("G:e2e4/R:d2d4", "G:e7e5/B:g8f6", "G:e1e2/B:g1f3", "R:e7e6/B:b8c6", "G:f1-R:b4/R:b4f8");

    public static void main(String[] args) throws Exception {
        String address = args.length > 0 ? args[0] : "127.0.0.1:50051";
        // One channel serves a whole program: it carries many calls at once and connects anew when the connection breaks.
        ManagedChannel channel =
                ManagedChannelBuilder.forTarget(address)
                        .usePlaintext()
                        .defaultServiceConfig(SERVICE_CONFIG)
                        .enableRetry()
                        .build();
        try {
            run(ArbiterServiceGrpc.newBlockingStub(channel));
        } finally {
            channel.shutdown().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    private static void run(ArbiterServiceBlockingStub arbiter) throws InvalidProtocolBufferException {
        listVariants(arbiter);

        // The variant alone is its initial position.
        Position position = Position.newBuilder().setVariant("three-universes").build();
        for (String text : MOVES) {
            ApplyMoveResponse played = apply(arbiter, position, text);
            if (!played.getLegal()) {
                throw new IllegalStateException(text + " is illegal: " + played.getIllegality().getMessage());
            }
            System.out.printf(
                    "%s: %s, %s to move%n",
                    played.getMove().getLongText(), played.getStatus().getState(), played.getStatus().getToMove());
            // The position goes back as it came: by its history the service notices repetition.
            position = played.getPosition();
        }

        // An illegal move is an answer, not an exception.
        ApplyMoveResponse refused = apply(arbiter, position, "G:h8-B:b8");
        if (refused.getLegal()) {
            throw new IllegalStateException("G:h8-B:b8 is legal");
        }
        Illegality illegality = refused.getIllegality();
        String squares =
                illegality.getSquaresList().stream()
                        .map(at -> at.getBoard() + ":" + at.getSquare())
                        .collect(Collectors.joining(" "));
        System.out.printf("G:h8-B:b8: %s at %s: %s%n", illegality.getReason(), squares, illegality.getMessage());

        // A position that cannot be is an error.
        Position impossible = Position.newBuilder().setVariant("chess").setFen("8/8/8/8/8/8/8/KK6 w - - 0 1").build();
        try {
            apply(arbiter, impossible, "a1a2");
        } catch (StatusRuntimeException error) {
            printError(error);
            return;
        }
        throw new IllegalStateException("the position was accepted");
    }

    private static void listVariants(ArbiterServiceBlockingStub arbiter) {
        List<Variant> variants =
                arbiter.withDeadlineAfter(10, TimeUnit.SECONDS)
                        .listVariants(ListVariantsRequest.getDefaultInstance())
                        .getVariantsList();
        for (Variant variant : variants) {
            String boards =
                    variant.getBoardsList().stream()
                            .map(board -> board.getName() + " " + board.getFiles() + "x" + board.getRanks())
                            .map(String::strip)
                            .collect(Collectors.joining(", "));
            System.out.printf("%s: %s on %s%n", variant.getId(), variant.getTitle(), boards);
        }
    }

    /** Plays a move. Each call has a deadline of its own: one set on a stub that is kept would pass once for all. */
    private static ApplyMoveResponse apply(ArbiterServiceBlockingStub arbiter, Position position, String text) {
        ApplyMoveRequest request =
                ApplyMoveRequest.newBuilder().setPosition(position).setMove(Move.newBuilder().setText(text)).build();
        return arbiter.withDeadlineAfter(10, TimeUnit.SECONDS).applyMove(request);
    }

    /** Prints what an error of the service says. Any other error, which has no reason, it throws again. */
    private static void printError(StatusRuntimeException error) throws InvalidProtocolBufferException {
        com.google.rpc.Status status = StatusProto.fromThrowable(error);
        ErrorInfo info = ErrorInfo.getDefaultInstance();
        BadRequest request = BadRequest.getDefaultInstance();
        for (Any detail : status.getDetailsList()) {
            if (detail.is(ErrorInfo.class)) {
                info = detail.unpack(ErrorInfo.class);
            } else if (detail.is(BadRequest.class)) {
                request = detail.unpack(BadRequest.class);
            }
        }
        if (!info.getDomain().equals("arbiter")) {
            throw error;
        }
        String faults = info.getMetadataOrDefault("faults", "");
        System.out.printf("code %d: %s (%s)%n", status.getCode(), info.getReason(), faults);
        for (BadRequest.FieldViolation violation : request.getFieldViolationsList()) {
            System.out.printf("  %s: %s%n", violation.getField(), violation.getDescription());
        }
    }
}
