package dev.coatcheck.db.dispatch;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.db.time.Pause;
import dev.coatcheck.fixture.TestDatabase;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.JobNotFoundException;
import org.jobrunr.utils.mapper.JsonMapperFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** JobRunr's server with our parts, as a worker has it, and runs that a test supplies. */
final class Engine implements AutoCloseable {
  final HikariDataSource pool;
  final EngineDatabase database;
  final Slots slots;
  final DispatchStorage storage;
  final Dispatches dispatches;
  final Notifier notifier;
  final ListenHub hub;
  final BackgroundJobServer server;
  private final DispatchServer dispatchServer;
  private final Ids ids = Ids.system();

  Engine(TestDatabase testDatabase, int slotCount, int pollSeconds, RunStarter runs) {
    this.pool = Migrated.pool(testDatabase, 5);
    this.database = Migrated.engine(pool);
    this.slots = new Slots(slotCount);
    var json = JsonMapperFactory.createJsonMapper();
    this.storage = new DispatchStorage(pool, new JobMapper(json), slots, InstantSource.system());
    this.notifier = Migrated.notifier(testDatabase);
    this.dispatches = new Dispatches(storage, notifier);
    this.hub = new ListenHub(Migrated.address(testDatabase), Pause.REAL);
    hub.start();
    var beans = new StaticListableBeanFactory();
    this.server =
        new BackgroundJobServer(
            storage,
            json,
            activator(new HandleDispatch(runs, beans.getBeanProvider(BackgroundJobServer.class))),
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andPollIntervalInSeconds(pollSeconds)
                .andBackgroundJobServerWorkerPolicy(new SlotPolicy(slots)));
    beans.addBean("server", server);
    server.setJobFilters(List.of(new RetryUnreachableDatabase()));
    this.dispatchServer = new DispatchServer(server, storage, slots, hub);
  }

  private static JobActivator activator(DispatchHandler handler) {
    return new JobActivator() {
      @Override
      public <T> T activateJob(Class<T> type) {
        return type.cast(handler);
      }
    };
  }

  Engine start() {
    dispatchServer.start();
    server.start();
    return this;
  }

  Dispatch dispatch() {
    return new Dispatch(
        new JobId(ids.next()), 1, "openai/gpt", "order-1", TenantId.DEFAULT, "openai");
  }

  /** Makes a dispatch in a transaction of its own and announces it. */
  Dispatch submit() {
    Dispatch dispatch = dispatch();
    database.transaction().executeWithoutResult(status -> dispatches.create(dispatch));
    dispatches.announce(dispatch.job());
    return dispatch;
  }

  /** The dispatch's state; null if there is none. */
  @Nullable StateName state(UUID id) {
    try {
      return storage.getJobById(id).getState();
    } catch (JobNotFoundException e) {
      return null;
    }
  }

  void clean() {
    dispatchServer.clean();
  }

  @Override
  public void close() {
    dispatchServer.stop();
    server.stop();
    hub.close();
    notifier.close();
    storage.close();
    pool.close();
  }
}
